// A map of limited size, for caches and for anything that clients can fill. When it is full, the entries that were set
// longest ago are dropped: one, or a 64th of the limit in a large map, where finding the oldest takes long. Reading does
// not renew an entry, so a look-up costs the same as in a plain map.

const DROPPED_SHARE = 1 / 64;

export function createBoundedMap<Key, Value>(limit: number): Map<Key, Value> {
  return new BoundedMap<Key, Value>(limit);
}

class BoundedMap<Key, Value> extends Map<Key, Value> {
  readonly #limit: number;

  constructor(limit: number) {
    super();
    if (limit < 1) throw new RangeError(`limit ${limit} is below 1`);
    this.#limit = limit;
  }

  override set(key: Key, value: Value): this {
    const isReplaced = this.delete(key);
    if (!isReplaced && this.size >= this.#limit) this.#dropOldest();
    return super.set(key, value);
  }

  override getOrInsert(key: Key, value: Value): Value {
    return this.getOrInsertComputed(key, () => value);
  }

  /** The inherited method would add entries without `set`. */
  override getOrInsertComputed(key: Key, compute: (key: Key) => Value): Value {
    const known = this.get(key);
    if (known !== undefined || this.has(key)) return known as Value;
    const value = compute(key);
    this.set(key, value);
    return value;
  }

  /**
   * Not with one iterator that is kept: until it advances, it holds every former table of the map, and with them values
   * that were deleted.
   */
  #dropOldest(): void {
    let left = Math.ceil(this.#limit * DROPPED_SHARE);
    for (const key of this.keys()) {
      this.delete(key);
      left -= 1;
      if (left === 0) return;
    }
  }
}
