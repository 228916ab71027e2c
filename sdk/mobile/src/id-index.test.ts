import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createIdIndex, DEFAULT_INDEX_BYTES } from './id-index.ts';
import type { Batch } from './queue.ts';
import { memoryStorage } from './storage.ts';
import type { Item } from './upload.ts';

const SOURCE = { provider: 'apple_health' } as const;
const startOf = (number: number) => new Date(Date.UTC(2026, 0, 1) + number * 60_000).toISOString();
const uuid = (number: number) => `5a0c1f3e-7a52-4f6b-9d10-${String(number).padStart(12, '0')}`;
const sample = (number: number): Item => ({
  list: 'samples',
  ids: [uuid(number)],
  value: { metric: 'heart_rate', start: startOf(number), value: 60 },
});
const workout = (number: number): Item => ({
  list: 'workouts',
  ids: [uuid(number)],
  value: { id: uuid(number), sport_type: 'running', start: startOf(number), end: startOf(number + 30) },
});

function batch(page: number, items: readonly Item[], deletedIds: readonly string[] = []): Batch {
  const uploads = items.length === 0 ? [] : [{ uploadId: uuid(page), body: '', source: SOURCE, items, deletions: [] }];
  return { number: page, page, entries: [], uploads, deletedIds };
}

function setUp(maxBytes = DEFAULT_INDEX_BYTES) {
  const values = new Map<string, string>();
  const index = createIdIndex(memoryStorage(values), 'p/', maxBytes);
  const sizeOf = () => [...values.values()].reduce((sum, text) => sum + text.length, 0);
  const deletedBy = async (number: number) =>
    (await index.resolve([uuid(number)])).resolved.flatMap(({ deletions }) => deletions);
  return { values, index, sizeOf, deletedBy };
}

describe('the index of platform ids', () => {
  it('stays below its limit however much is sent, and forgets the oldest samples first', async () => {
    const { index, sizeOf, deletedBy, values } = setUp(40_000);
    const pageSizes: number[] = [];
    for (let page = 1; page <= 1_000; page += 1) {
      await index.write(batch(page, [sample(page * 10), sample(page * 10 + 1), sample(page * 10 + 2)]));
      if (page % 50 === 0) pageSizes.push(sizeOf());
    }
    assert.ok(Math.max(...pageSizes) <= 30_001, `${Math.max(...pageSizes)} bytes`);
    assert.ok(values.size > 50, 'and uses it');
    assert.deepEqual(await deletedBy(10), []);
    const newest = { kind: 'samples', metric: 'heart_rate', start: startOf(10_000), end: startOf(10_000) };
    assert.deepEqual(await deletedBy(10_000), [newest]);
    const kept = await Promise.all(Array.from({ length: 1_000 }, (_, page) => deletedBy((page + 1) * 10)));
    const first = kept.findIndex((deletions) => deletions.length > 0);
    assert.ok(
      kept.slice(first).every((deletions) => deletions.length === 1),
      'all from the first one on',
    );
  });

  it('keeps sleeps and workouts when samples are forgotten', async () => {
    const { index, deletedBy } = setUp(40_000);
    await index.write(batch(1, [workout(1), sample(2)]));
    for (let page = 2; page <= 300; page += 1)
      await index.write(batch(page, [sample(page * 10), sample(page * 10 + 1)]));
    assert.deepEqual(await deletedBy(1), [{ kind: 'workout', id: uuid(1) }]);
    assert.deepEqual(await deletedBy(2), []);
  });

  it('never deletes a record a second time, whatever was removed since', async () => {
    const { index, deletedBy } = setUp(40_000);
    await index.write(batch(1, [workout(1), sample(2)]));
    await index.write(batch(2, [], [uuid(1), uuid(2)]));
    for (let page = 3; page <= 400; page += 1) {
      await index.write(batch(page, [sample(page * 10), workout(page * 10 + 1)]));
      if (page % 20 === 0) assert.deepEqual([await deletedBy(1), await deletedBy(2)], [[], []]);
    }
  });

  it('counts unknown ids only if something was removed', async () => {
    const { index } = setUp(4_000);
    await index.write(batch(1, [sample(1)]));
    assert.equal((await index.resolve([uuid(1), 'never-sent'])).forgotten, 0);
    for (let page = 2; page <= 60; page += 1) await index.write(batch(page, [sample(page)]));
    await index.write(batch(61, [], [uuid(60)]));
    const { found, forgotten } = await index.resolve([uuid(1), uuid(59), uuid(60)]);
    assert.deepEqual([found, forgotten], [[uuid(59)], 1]);
  });

  it('can be written again for the same batch, also after the process ended within a removal', async () => {
    const { index, values, deletedBy } = setUp(4_000);
    for (let page = 1; page <= 60; page += 1) await index.write(batch(page, [sample(page)]));
    const before = [...values.keys()].sort();
    await index.write(batch(60, [sample(60)]));
    assert.deepEqual([...values.keys()].sort(), before);
    assert.equal((await deletedBy(60)).length, 1);
  });

  it('holds the time that the guide promises', async () => {
    const { index, sizeOf } = setUp();
    const perPage = 2_000;
    await index.write(
      batch(
        1,
        Array.from({ length: perPage }, (_, number) => sample(number)),
      ),
    );
    const sampleBytes = sizeOf() / perPage;
    await index.write(
      batch(
        2,
        Array.from({ length: perPage }, (_, number) => workout(number)),
      ),
    );
    const sessionBytes = sizeOf() / perPage - sampleBytes;
    assert.ok(sampleBytes < 75, `${sampleBytes} bytes per sample`);
    assert.ok((DEFAULT_INDEX_BYTES * 3) / 4 / sampleBytes / 2_000 > 80, 'days with 2,000 samples');
    assert.ok(DEFAULT_INDEX_BYTES / 4 / sessionBytes / 40 > 900, 'days with a night of 38 stages and 2 workouts');
  });
});
