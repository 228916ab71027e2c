import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createIdIndex, DEFAULT_INDEX_BYTES } from './id-index.ts';
import type { UploadBatch } from './queue.ts';
import { memoryStorage, type Storage } from './storage.ts';
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

function batch(page: number, items: readonly Item[], deletedIds: readonly string[] = []): UploadBatch {
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
    const { index, sizeOf, deletedBy } = setUp(8_000);
    const sizes: number[] = [];
    for (let page = 1; page <= 200; page += 1) {
      await index.write(batch(page, [sample(page * 10), sample(page * 10 + 1), sample(page * 10 + 2)]));
      sizes.push(sizeOf());
    }
    assert.ok(Math.max(...sizes) <= 6_001, `${Math.max(...sizes)} bytes`);
    assert.ok(Math.min(...sizes.slice(100)) > 5_000, 'and uses it');
    const newest = { kind: 'samples', metric: 'heart_rate', start: startOf(2_000), end: startOf(2_000) };
    assert.deepEqual(await deletedBy(2_000), [newest]);
    const kept: number[] = [];
    for (let page = 1; page <= 200; page += 1) kept.push((await deletedBy(page * 10)).length);
    assert.ok(kept.indexOf(1) > 100, 'the oldest are forgotten');
    assert.ok(!kept.slice(kept.indexOf(1)).includes(0), 'and all from the first known one on are known');
  });

  it('keeps sleeps and workouts when samples are forgotten', async () => {
    const { index, deletedBy } = setUp(8_000);
    await index.write(batch(1, [workout(1), sample(2)]));
    for (let page = 2; page <= 100; page += 1)
      await index.write(batch(page, [sample(page * 10), sample(page * 10 + 1)]));
    assert.deepEqual(await deletedBy(1), [{ kind: 'workout', id: uuid(1) }]);
    assert.deepEqual(await deletedBy(2), []);
  });

  it('never deletes a record a second time, whatever was removed since', async () => {
    const { index, deletedBy } = setUp(8_000);
    await index.write(batch(1, [workout(1), sample(2)]));
    await index.write(batch(2, [], [uuid(1), uuid(2)]));
    for (let page = 3; page <= 120; page += 1) {
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

  it('has no gap after the process ended at any call of a removal', async () => {
    for (let killAt = 1; killAt <= 12; killAt += 1) {
      const values = new Map<string, string>();
      const disk = memoryStorage(values);
      const large = createIdIndex(disk, 'p/', 1_000_000);
      for (let page = 1; page <= 12; page += 1) await large.write(batch(page, [sample(page)]));
      let calls = 0;
      const step = async <Value>(effect: Promise<Value>): Promise<Value> => {
        calls += 1;
        if (calls > killAt) throw new Error('killed');
        return effect;
      };
      const storage: Storage = {
        ...disk,
        set: (key, value) => step(calls < killAt ? disk.set(key, value) : Promise.resolve()),
        delete: (key) => step(calls < killAt ? disk.delete(key) : Promise.resolve()),
      };
      const interrupted = createIdIndex(storage, 'p/', 500).write(batch(13, [sample(13)]));
      await interrupted.catch((error: Error) => assert.equal(error.message, 'killed'));
      const restarted = createIdIndex(disk, 'p/', 500);
      const ids = Array.from({ length: 12 }, (_, page) => uuid(page + 1));
      const { found, forgotten } = await restarted.resolve(ids);
      assert.deepEqual(new Set(found), new Set(ids.slice(ids.length - found.length)), `killed at call ${killAt}`);
      assert.equal(forgotten, ids.length - found.length);
    }
  });

  it('can be written again for the same batch', async () => {
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
