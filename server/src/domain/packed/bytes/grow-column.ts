type Column = Float64Array | Int32Array | Uint32Array | Uint16Array | Uint8Array;

/** A copy with room for twice as many numbers, or for `atLeast` if that is more. The rest is 0. */
export function growColumn<Kind extends Column>(column: Kind, atLeast = 1): Kind {
  const larger = new (column.constructor as new (length: number) => Kind)(Math.max(column.length * 2, atLeast));
  larger.set(column);
  return larger;
}
