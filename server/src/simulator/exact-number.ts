// 64-bit ids in JSON: digits that a double would lose.

type RawJson = { rawJSON(text: string): unknown };

/** For JSON.stringify alone. */
export function exactNumber(value: bigint): unknown {
  return (JSON as unknown as RawJson).rawJSON(String(value));
}
