// What one person leaves on the phone never becomes the next person's data.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { beat, beats, CREDENTIALS, error, setUp, uploadsOf } from '../test/fake-service.ts';
import { memoryStorage, type Storage } from './index.ts';

const FIRST = beats(1, 2);
const SECOND = beats(31);

/** Ends the process at the `last`-th change of the storage: nothing later has an effect. */
function killedAt(last: number, disk: Storage): Storage & { changes(): number } {
  let changes = 0;
  const change = async (effect: () => Promise<void>) => {
    changes += 1;
    if (changes > last) throw new Error('killed');
    await effect();
  };
  return {
    ...disk,
    set: (key, value) => change(() => disk.set(key, value)),
    delete: (key) => change(() => disk.delete(key)),
    changes: () => changes,
  };
}

/** The queue, an anchor, a parked item and the id index have something of the first person. */
async function useAsFirst(disk: Storage, isSignedIn: boolean): Promise<void> {
  const refuse = ({ path, body }: { path: string; body: Record<string, unknown> }) =>
    path.endsWith('uploads') && JSON.stringify(body).includes(beat(2).value.start) ? error(422, 'invalid_body') : null;
  const getToken = async () => (isSignedIn ? 'ct_1' : null);
  const { client } = setUp(refuse, { storage: disk, getToken, limits: { maxItems: 1 } });
  await client.enqueue(FIRST, { name: 'heart', value: 'a1' });
  await client.flush();
  await client.enqueue(beats(3), { name: 'heart', value: 'a2' });
}

for (const isSignedIn of [true, false])
  it(`removes everything although the process ends, ${isSignedIn ? 'with' : 'without'} a session`, async () => {
    let wasKilled = true;
    for (let last = 1; wasKilled; last += 1) {
      const disk = memoryStorage();
      await useAsFirst(disk, isSignedIn);
      const killed = killedAt(last, disk);
      const first = setUp(() => null, { storage: killed });
      await first.client.reset().catch(() => undefined);
      wasKilled = killed.changes() > last;
      const { client, calls } = setUp(
        ({ path }) => (path.endsWith('exchange') ? { body: { ...CREDENTIALS, user_id: 'second' } } : null),
        { storage: disk },
      );
      assert.equal(await client.readAnchor('heart'), null, `anchor after ${last} changes`);
      assert.deepEqual(await client.listParked(), [], `parked items after ${last} changes`);
      await client.enqueue({ ...SECOND, deletedIds: ['id-1'] });
      assert.deepEqual(await client.flush(), { pending: 0, stopped: null }, `flush after ${last} changes`);
      assert.deepEqual(
        uploadsOf(calls).map(({ body }) => body.samples),
        [[beat(31).value]],
        `uploads after ${last} changes`,
      );
    }
  });

it('waits for parked items that are being queued again, and refuses others until it is done', async () => {
  const disk = memoryStorage();
  await useAsFirst(disk, true);
  const { client } = setUp(() => null, { storage: disk });
  const [parked] = await client.listParked();
  const again = client.retryParked(parked?.key ?? '');
  const reset = client.reset();
  await assert.rejects(client.retryParked(parked?.key ?? ''), /reset\(\) is running/);
  await Promise.all([again, reset]);
  assert.deepEqual(await disk.keys(''), []);
});

it('removes everything from a storage that has no room left', async () => {
  const disk = memoryStorage();
  await useAsFirst(disk, true);
  const set = async () => {
    throw new Error('disk full');
  };
  await setUp(() => null, { storage: { ...disk, set } }).client.reset();
  assert.deepEqual(await disk.keys(''), []);
});

it('finishes a removal that failed before the same client stores anything else', async () => {
  const disk = memoryStorage();
  await useAsFirst(disk, true);
  let failures = 1;
  const { client, calls } = setUp(() => null, {
    storage: {
      ...disk,
      async delete(key) {
        if (key.includes('queue/') && failures-- > 0) throw new Error('disk error');
        await disk.delete(key);
      },
    },
  });
  await assert.rejects(client.reset(), /disk error/);
  await client.enqueue(SECOND);
  await client.flush();
  assert.deepEqual(
    uploadsOf(calls).map(({ body }) => body.samples),
    [[beat(31).value]],
  );
});

describe('reset', () => {
  it('revokes the session and removes everything', async () => {
    const values = new Map<string, string>();
    const { client, calls } = setUp(({ path }) => (path.endsWith('current') ? { status: 204, body: null } : null), {
      storage: memoryStorage(values),
    });
    await client.enqueue(beats(1), { name: 'a', value: '1' });
    await client.flush();
    await client.reset();
    assert.deepEqual(calls.at(-1), { path: '/v1/sdk/sessions/current', token: 'Bearer sa_1', body: {} });
    assert.equal(values.size, 0);
    assert.equal(await client.pending(), 0);
  });

  it('refreshes an expired access token to revoke the session, and starts no new one', async () => {
    for (const isRefreshable of [true, false]) {
      const values = new Map<string, string>();
      const { client, calls } = setUp(
        ({ path, token }) => {
          if (path.endsWith('refresh'))
            return isRefreshable ? { body: { ...CREDENTIALS, access_token: 'sa_2' } } : error(401, 'unauthorized');
          if (!path.endsWith('current')) return null;
          return token === 'Bearer sa_2' ? { status: 204, body: null } : error(401, 'unauthorized');
        },
        { storage: memoryStorage(values) },
      );
      await client.enqueue(beats(1));
      await client.flush();
      const before = calls.length;
      await client.reset();
      assert.deepEqual(
        calls.slice(before).map(({ path, token }) => [path.split('/').at(-1), token]),
        [['current', 'Bearer sa_1'], ['refresh', null], ...(isRefreshable ? [['current', 'Bearer sa_2']] : [])],
      );
      assert.equal(values.size, 0);
    }
  });

  it('removes what is being queued, and refuses more until it is done', async () => {
    const storage = memoryStorage();
    const { client } = setUp(undefined, { storage });
    const queued = client.enqueue(beats(1, 2), { name: 'steps', value: 'a1' });
    const reset = client.reset();
    await assert.rejects(client.enqueue(beats(3)), /reset\(\) is running/);
    await Promise.all([queued, reset]);
    assert.deepEqual(await storage.keys(''), []);
    await client.enqueue(beats(4));
    assert.equal(await client.pending(), 1);
  });

  it('does not wait for a flush that waits after a failure', { timeout: 10_000 }, async () => {
    const values = new Map<string, string>();
    const isWaiting = Promise.withResolvers<void>();
    const { client } = setUp(({ path }) => (path.endsWith('uploads') ? error(503, 'unavailable') : null), {
      storage: memoryStorage(values),
      sleep: () => {
        isWaiting.resolve();
        return new Promise(() => undefined);
      },
    });
    await client.enqueue(beats(1));
    const flush = client.flush();
    await isWaiting.promise;
    await client.reset();
    assert.deepEqual(await flush, { pending: 1, stopped: 'aborted' });
    assert.equal(values.size, 0);
  });
});
