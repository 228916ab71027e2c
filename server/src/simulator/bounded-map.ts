// A map that drops the oldest entries, because any client can add entries.

export function createBoundedMap<Key, Value>(limit: number): Map<Key, Value> {
  return new BoundedMap<Key, Value>(limit);
}

class BoundedMap<Key, Value> extends Map<Key, Value> {
  readonly #limit: number;

  constructor(limit: number) {
    super();
    this.#limit = limit;
  }

  override set(key: Key, value: Value): this {
    this.delete(key);
    super.set(key, value);
    if (this.size > this.#limit) for (const oldest of this.keys()) return this.#forget(oldest);
    return this;
  }

  #forget(key: Key): this {
    this.delete(key);
    return this;
  }
}
