// The client's storage stays below its limits, and the client reports what it rejects or drops.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { beat, beats, error, SOURCE, setUp, uploadsOf } from '../test/fake-service.ts';
import { memoryStorage, QueueFullError } from './index.ts';

const minutes = (from: number, count: number) => Array.from({ length: count }, (_, index) => from + index);
const bytesBelow = (values: ReadonlyMap<string, string>, prefix: string) =>
  [...values].reduce((sum, [key, text]) => sum + (key.startsWith(prefix) ? Buffer.byteLength(text) : 0), 0);

describe('a full queue', () => {
  it('refuses changes as a whole, keeps the anchor, and accepts them after a flush', async () => {
    const values = new Map<string, string>();
    const { client, calls } = setUp(() => null, { storage: memoryStorage(values), maxQueueBytes: 2_000 });
    await client.enqueue(beats(...minutes(1, 10)), { name: 'heart', value: 'a1' });
    const more = { ...beats(...minutes(11, 10)), deletedIds: ['id-1'] };
    await assert.rejects(client.enqueue(more, { name: 'heart', value: 'a2' }), (refusal) => {
      assert.ok(refusal instanceof QueueFullError);
      assert.deepEqual([refusal.code, refusal.maxQueueBytes, refusal.fitsLater], ['queue_full', 2_000, true]);
      assert.equal(refusal.queuedBytes, bytesBelow(values, 'tributary/queue/'));
      return true;
    });
    assert.deepEqual([await client.pending(), await client.readAnchor('heart')], [10, 'a1']);
    await client.flush();
    await client.enqueue(more, { name: 'heart', value: 'a2' });
    await client.flush();
    const sent = uploadsOf(calls).flatMap(({ body }) => (body.samples ?? []) as { start: string }[]);
    assert.deepEqual(
      sent.map(({ start }) => start),
      minutes(1, 20).map((minute) => beat(minute).value.start),
    );
    assert.equal(await client.readAnchor('heart'), 'a2');
  });

  it('is measured again after a restart', async () => {
    const values = new Map<string, string>();
    const options = { storage: memoryStorage(values), maxQueueBytes: 2_000 };
    await setUp(() => null, options).client.enqueue(beats(...minutes(1, 10)));
    const { client } = setUp(() => null, options);
    await assert.rejects(client.enqueue(beats(...minutes(11, 10))), QueueFullError);
    assert.equal(await client.pending(), 10);
  });

  it('counts changes that are being stored at the same time', async () => {
    const values = new Map<string, string>();
    const { client } = setUp(() => null, { storage: memoryStorage(values), maxQueueBytes: 2_000 });
    const results = await Promise.allSettled(
      minutes(0, 5).map((part) => client.enqueue(beats(...minutes(part * 10, 10)))),
    );
    assert.deepEqual(
      results.map(({ status }) => status),
      ['fulfilled', 'rejected', 'rejected', 'rejected', 'rejected'],
    );
    assert.ok(bytesBelow(values, 'tributary/queue/') <= 2_000);
  });

  it('says if the changes can never fit', async () => {
    const { client } = setUp(() => null, { maxQueueBytes: 2_000 });
    await assert.rejects(client.enqueue(beats(...minutes(1, 50))), /fewer records at a time/);
    assert.equal(await client.pending(), 0);
  });

  it('has room again for what a failed write did not store', async () => {
    const values = new Map<string, string>();
    const disk = memoryStorage(values);
    let isBroken = true;
    const set = async (key: string, text: string) => {
      if (isBroken) throw new Error('disk full');
      return disk.set(key, text);
    };
    const { client } = setUp(() => null, { storage: { ...disk, set }, maxQueueBytes: 2_000 });
    await assert.rejects(client.enqueue(beats(...minutes(1, 10))), /disk full/);
    isBroken = false;
    await client.enqueue(beats(...minutes(1, 10)));
    assert.equal(await client.pending(), 10);
  });

  it('keeps parked items that it cannot take back', async () => {
    let isRefusing = true;
    const { client } = setUp(
      ({ path }) => (isRefusing && path.endsWith('uploads') ? error(409, 'device_limit') : null),
      { maxQueueBytes: 2_000 },
    );
    await client.enqueue(beats(...minutes(1, 10)));
    await client.flush();
    isRefusing = false;
    await client.enqueue(beats(...minutes(11, 10)));
    const [parked] = await client.listParked();
    await assert.rejects(client.retryParked(parked?.key ?? ''), QueueFullError);
    assert.equal((await client.listParked()).length, 1);
    await client.flush();
    await client.retryParked(parked?.key ?? '');
    assert.deepEqual([await client.pending(), await client.listParked()], [10, []]);
  });
});

describe('parked items over their limit', () => {
  it('are dropped, the oldest first, and an event says how many', async () => {
    const values = new Map<string, string>();
    const options = { storage: memoryStorage(values), maxParkedBytes: 2_000, random: Math.random };
    const refuse = ({ path }: { path: string }) => (path.endsWith('uploads') ? error(422, 'validation_failed') : null);
    const dropped: number[] = [];
    for (const minute of minutes(1, 30)) {
      // A new client each time: the order survives a restart.
      const { client, events } = setUp(refuse, options);
      await client.enqueue({ groups: [{ source: SOURCE, items: [beat(minute, []), beat(minute + 100, [])] }] });
      assert.deepEqual(await client.flush(), { pending: 0, stopped: null });
      for (const event of events) if (event.type === 'dropped') dropped.push(event.items);
      assert.ok(bytesBelow(values, 'tributary/parked/') <= 2_000);
    }
    const { client } = setUp(refuse, options);
    const kept = (await client.listParked()).flatMap(({ items }) => items.map(({ item }) => item));
    assert.ok(kept.length > 2 && kept.length < 20, String(kept.length));
    assert.equal(dropped.reduce((sum, items) => sum + items, 0) + kept.length, 60);
    assert.deepEqual(
      kept.filter((_, index) => index % 2 === 0).map(({ value }) => 'start' in value && value.start),
      minutes(31 - kept.length / 2, kept.length / 2).map((minute) => beat(minute).value.start),
    );
  });

  it('are not kept at all with a limit of 0', async () => {
    const { client, events } = setUp(
      ({ path }) => (path.endsWith('uploads') ? error(422, 'validation_failed') : null),
      { maxParkedBytes: 0 },
    );
    await client.enqueue(beats(1, 2));
    await client.flush();
    assert.deepEqual(await client.listParked(), []);
    assert.deepEqual(
      events.filter(({ type }) => type === 'parked' || type === 'dropped').map(({ type }) => type),
      ['parked', 'dropped'],
    );
  });
});
