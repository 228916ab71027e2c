// `every` holds for an empty list, and an assertion on one says nothing.
import assert from 'node:assert/strict';

/** Of at least one item, each. Says which one does not. */
export function assertEvery<Item>(
  items: readonly Item[],
  holds: (item: Item, index: number) => unknown,
  what = 'every one',
): void {
  assert.ok(items.length > 0, `${what}: there is none`);
  for (const [index, item] of items.entries())
    assert.ok(holds(item, index), `${what}: not so for number ${index + 1} of ${items.length}: ${describe(item)}`);
}

function describe(item: unknown): string {
  return (
    JSON.stringify(item, (_key, value) => (typeof value === 'bigint' ? String(value) : value))?.slice(0, 500) ?? ''
  );
}
