// `Array.prototype.every` is true for an empty list, so an assertion on it could pass without checking anything.
import assert from 'node:assert/strict';

/** Requires at least one item and names the first one that fails. */
export function assertEvery<Item>(
  items: ArrayLike<Item>,
  holds: (item: Item, index: number) => unknown,
  what = 'every one',
): void {
  assert.ok(items.length > 0, `${what}: the list is empty`);
  for (const [index, item] of Array.from(items).entries())
    assert.ok(holds(item, index), `${what}: fails for item ${index + 1} of ${items.length}: ${describe(item)}`);
}

function describe(item: unknown): string {
  return (
    JSON.stringify(item, (_key, value) => (typeof value === 'bigint' ? String(value) : value))?.slice(0, 500) ?? ''
  );
}
