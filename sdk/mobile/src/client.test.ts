// The client against a small fake of the service: what the conformance vectors and the kill tests do not show.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { beat, beats, type Call, CREDENTIALS, error, SOURCE, seeded, setUp, uploadsOf } from '../test/fake-service.ts';
import { createMobileClient, type MobileOptions, memoryStorage } from './index.ts';

describe('flush', () => {
  it('runs once for concurrent callers, and exchanges one token', async () => {
    const { client, calls } = setUp();
    await client.enqueue(beats(1));
    await Promise.all([client.flush(), client.flush(), client.flush()]);
    assert.deepEqual(
      calls.map(({ path }) => path),
      ['/v1/sdk/sessions/exchange', '/v1/sdk/uploads'],
    );
  });

  it('sends one upload per source and divides by the limit', async () => {
    const { client, calls } = setUp(() => null, { limits: { maxItems: 2 } });
    const other = { provider: 'apple_health', id: 'scale' } as const;
    await client.enqueue({
      groups: [
        { source: SOURCE, items: [1, 2, 3].map((minute) => beat(minute)) },
        { source: other, items: [beat(4)] },
      ],
    });
    await client.flush();
    const sent = uploadsOf(calls).map(({ body }) => [
      (body.source as { id: string }).id,
      (body.samples as object[]).length,
    ]);
    assert.deepEqual(sent, [
      ['watch', 2],
      ['watch', 1],
      ['scale', 1],
    ]);
  });

  it('never sends more items than an answer can name, so that all rejected ones are parked', async () => {
    const { client, calls } = setUp(
      ({ path, body }) => {
        if (!path.endsWith('uploads')) return null;
        const sent = (body.samples as object[]).map((_, index) => index);
        const rejected = sent.slice(0, 1_000).map((index) => ({
          path: `samples[${index}]`,
          error: 'device_disconnected',
          message: 'm',
        }));
        const counts = { accepted: 0, duplicates: 0, deleted: 0, rejected_count: sent.length };
        return { body: { upload_id: body.upload_id, rejected, ...counts } };
      },
      { limits: { maxItems: 5_000 } },
    );
    await client.enqueue(beats(...Array.from({ length: 1_500 }, (_, minute) => minute)));
    assert.deepEqual(await client.flush(), { pending: 0, stopped: null });
    assert.deepEqual(
      uploadsOf(calls).map(({ body }) => (body.samples as object[]).length),
      [1_000, 500],
    );
    assert.equal((await client.listParked()).flatMap(({ items }) => items).length, 1_500);
  });

  it('waits with full jitter and adds Retry-After', async () => {
    const { client, waits } = setUp(({ path }, index) =>
      path.endsWith('uploads') && index < 4
        ? { status: 503, headers: { 'retry-after': '2' }, body: { error: 'unavailable', message: 'm', details: {} } }
        : null,
    );
    await client.enqueue(beats(1));
    assert.deepEqual(await client.flush(), { pending: 0, stopped: null });
    assert.equal(waits.length, 2);
    assert.ok((waits[0] ?? 0) >= 2_000 && (waits[0] ?? 0) < 3_000, String(waits));
    assert.ok((waits[1] ?? 0) >= 2_000 && (waits[1] ?? 0) < 4_000, String(waits));
  });

  it('sends data without a time zone that the service does not know', async () => {
    const { client, calls } = setUp(
      ({ body }) => {
        if (body.timezone === undefined) return null;
        const details = { issues: [{ path: 'timezone', message: 'must be an IANA time zone name' }] };
        return { status: 400, body: { error: 'invalid_body', message: 'm', details } };
      },
      { timezone: 'America/Coyhaique' },
    );
    await client.enqueue(beats(1));
    assert.deepEqual(await client.flush(), { pending: 0, stopped: null });
    await client.enqueue(beats(2));
    assert.deepEqual(await client.flush(), { pending: 0, stopped: null });
    assert.deepEqual(await client.listParked(), []);
    const [first, second, third] = uploadsOf(calls).map(({ body }) => body);
    assert.deepEqual([first?.timezone, second?.timezone, third?.timezone], ['America/Coyhaique', undefined, undefined]);
    assert.notEqual(second?.upload_id, first?.upload_id);
    assert.deepEqual([second?.samples, third?.samples], [[beat(1).value], [beat(2).value]]);
  });

  it('ends at an aborted signal and keeps the queue', async () => {
    const { client } = setUp();
    await client.enqueue(beats(1));
    assert.deepEqual(await client.flush({ signal: AbortSignal.abort() }), { pending: 1, stopped: 'aborted' });
  });

  describe('with a signal', { timeout: 10_000 }, () => {
    /** Uploads get no answer until their request is aborted. */
    function setUpSlow(options: Partial<MobileOptions> = {}) {
      const begun = Promise.withResolvers<void>();
      const requests: AbortSignal[] = [];
      const client = createMobileClient({
        baseUrl: 'https://health.example',
        platform: 'ios',
        storage: memoryStorage(),
        getToken: async () => 'ct_1',
        automatic: null,
        gzip: null,
        random: seeded(),
        fetch(url, { signal }) {
          if (!url.endsWith('uploads')) return Promise.resolve(Response.json(CREDENTIALS));
          begun.resolve();
          if (signal) requests.push(signal);
          return new Promise((_, reject) => signal?.addEventListener('abort', () => reject(new Error('aborted'))));
        },
        ...options,
      });
      return { client, requests, begun: begun.promise };
    }

    it('aborts the running request', async () => {
      const { client, requests, begun } = setUpSlow();
      await client.enqueue(beats(1));
      const controller = new AbortController();
      const flush = client.flush({ signal: controller.signal });
      await begun;
      controller.abort();
      assert.deepEqual(await flush, { pending: 1, stopped: 'aborted' });
      assert.deepEqual(
        requests.map(({ aborted }) => aborted),
        [true],
      );
    });

    it('returns early to a second caller, and ends when every caller has aborted', async () => {
      const { client, requests, begun } = setUpSlow();
      await client.enqueue(beats(1));
      const [first, second] = [new AbortController(), new AbortController()];
      const flush = client.flush({ signal: first.signal });
      const joined = client.flush({ signal: second.signal });
      await begun;
      second.abort();
      assert.deepEqual(await joined, { pending: 1, stopped: 'aborted' });
      assert.equal(requests[0]?.aborted, false);
      first.abort();
      assert.deepEqual(await flush, { pending: 1, stopped: 'aborted' });
      assert.equal(requests[0]?.aborted, true);
    });

    it('ends while it waits for a token, or after a failure', async () => {
      for (const options of [
        { getToken: () => new Promise<null>(() => undefined) },
        { fetch: () => Promise.reject(new Error('offline')), sleep: () => new Promise<void>(() => undefined) },
      ]) {
        const { client } = setUpSlow(options);
        await client.enqueue(beats(1));
        const controller = new AbortController();
        setTimeout(() => controller.abort(), 50);
        assert.deepEqual(await client.flush({ signal: controller.signal }), { pending: 1, stopped: 'aborted' });
      }
    });

    it('starts again for a caller that comes while an aborted flush ends', async () => {
      const { client } = setUp();
      await client.enqueue(beats(1));
      const [, second] = await Promise.all([client.flush({ signal: AbortSignal.abort() }), client.flush()]);
      assert.deepEqual(second, { pending: 0, stopped: null });
    });
  });

  it('keeps the queue if the account is closed', async () => {
    const { client } = setUp(({ path }) =>
      path.endsWith('uploads') ? { status: 403, body: { error: 'account_closed', message: 'm', details: {} } } : null,
    );
    await client.enqueue(beats(1));
    assert.deepEqual(await client.flush(), { pending: 1, stopped: 'refused' });
  });

  it('sends items over a limit again, before newer ones', async () => {
    const { client, calls } = setUp(({ path, body }, index) =>
      path.endsWith('uploads') && index === 2
        ? {
            body: {
              upload_id: body.upload_id,
              accepted: 1,
              duplicates: 0,
              deleted: 0,
              rejected: [{ path: 'samples[1]', error: 'over_limit', message: 'm' }],
              rejected_count: 1,
            },
          }
        : null,
    );
    await client.enqueue(beats(1, 2));
    await client.flush();
    const [, again] = uploadsOf(calls);
    assert.deepEqual(again?.body.samples, [beat(2).value]);
    assert.deepEqual(await client.listParked(), []);
  });

  it('waits before it sends a batch again of which every item was over a limit', async () => {
    const { client, calls, waits } = setUp(({ path, body }) => {
      if (!path.endsWith('uploads')) return null;
      const rejected = [{ path: 'samples[0]', error: 'over_limit', message: 'Too many.' }];
      const { upload_id } = body;
      return { body: { upload_id, accepted: 0, duplicates: 0, deleted: 0, rejected, rejected_count: 1 } };
    });
    await client.enqueue(beats(1));
    assert.deepEqual(await client.flush(), { pending: 1, stopped: 'unreachable' });
    assert.deepEqual([calls.length, waits.length], [6, 4]);
  });

  it('divides a batch after the 413 of a proxy, and keeps a single item', async () => {
    const sizes: number[] = [];
    const { client } = setUp(({ path, body }) => {
      if (!path.endsWith('uploads')) return null;
      const { length } = body.samples as unknown[];
      sizes.push(length);
      return length > 1 ? { status: 413, body: '<html>Request Entity Too Large</html>' } : null;
    });
    await client.enqueue(beats(1, 2, 3, 4));
    assert.deepEqual(await client.flush(), { pending: 0, stopped: null });
    assert.deepEqual(sizes.slice(0, 3), [4, 2, 1]);
    assert.deepEqual(await client.listParked(), []);
  });

  it('halves deletions after a 413', async () => {
    const { client, calls } = setUp(({ body }) =>
      ((body.deleted ?? []) as object[]).length > 2 ? error(413, 'payload_too_large') : null,
    );
    const deletions = [1, 2, 3, 4, 5].map((id) => ({
      source: SOURCE,
      deletion: { kind: 'workout' as const, id: String(id) },
    }));
    await client.enqueue({ deletions });
    assert.deepEqual(await client.flush(), { pending: 0, stopped: null });
    const sent = uploadsOf(calls).map(({ body }) => body.deleted as { id: string }[]);
    const accepted = sent.filter(({ length }) => length <= 2).flat();
    assert.deepEqual(
      accepted.map(({ id }) => id),
      ['1', '2', '3', '4', '5'],
    );
    assert.ok(sent.length <= 8, String(sent.length));
    assert.deepEqual(await client.listParked(), []);
  });

  it('parks single items and deletions that are still too large', async () => {
    const { client, calls } = setUp(({ path }) => (path.endsWith('uploads') ? error(413, 'payload_too_large') : null));
    await client.enqueue({
      ...beats(1, 2, 3),
      deletions: ['a', 'b', 'c'].map((id) => ({ source: SOURCE, deletion: { kind: 'workout', id } })),
    });
    assert.deepEqual(await client.flush(), { pending: 0, stopped: null });
    const parked = (await client.listParked()).flatMap(({ items }) => items);
    assert.equal(parked.length, 6);
    assert.ok(uploadsOf(calls).length <= 20, String(uploadsOf(calls).length));
  });

  it('waits after a conflict, seals again with a new id, and stops after five', async () => {
    const { client, calls, waits } = setUp(({ path }, index) => {
      if (index > 50) throw new Error('too many requests');
      return path.endsWith('uploads') ? error(409, 'upload_conflict') : null;
    });
    await client.enqueue(beats(1));
    assert.deepEqual(await client.flush(), { pending: 1, stopped: 'unreachable' });
    assert.equal(waits.length, 4);
    await client.flush();
    assert.equal(new Set(uploadsOf(calls).map(({ body }) => body.upload_id)).size, 10);
  });
});

describe('deletions by platform id', () => {
  const deletedStarts = (calls: readonly Call[]) =>
    uploadsOf(calls).flatMap(({ body }) => ((body.deleted ?? []) as { start: string }[]).map(({ start }) => start));

  it('find every part of an upload that was divided after a 413, also after a restart', async () => {
    const storage = memoryStorage();
    const { client, calls } = setUp(
      ({ body }) => (((body.samples ?? []) as object[]).length > 1 ? error(413, 'payload_too_large') : null),
      { storage },
    );
    await client.enqueue(beats(1, 2, 3));
    await client.flush();
    await client.enqueue({ deletedIds: ['id-1'] });
    await client.flush();
    const restarted = setUp(() => null, { storage });
    await restarted.client.enqueue({ deletedIds: ['id-1', 'id-2', 'id-3'] });
    await restarted.client.flush();
    assert.deepEqual(deletedStarts(calls), [beat(1).value.start]);
    assert.deepEqual(deletedStarts(restarted.calls).sort(), [beat(2).value.start, beat(3).value.start]);
  });

  it('find items that were sent again after over_limit, and those sent with them', async () => {
    const { client, calls } = setUp(({ path, body }, index) =>
      path.endsWith('uploads') && index === 2
        ? {
            body: {
              upload_id: body.upload_id,
              accepted: 1,
              duplicates: 0,
              deleted: 0,
              rejected: [{ path: 'samples[1]', error: 'over_limit', message: 'm' }],
              rejected_count: 1,
            },
          }
        : null,
    );
    await client.enqueue(beats(1, 2));
    await client.flush();
    await client.enqueue({ deletedIds: ['id-1', 'id-2'] });
    await client.flush();
    assert.deepEqual([...new Set(deletedStarts(calls))].sort(), [beat(1).value.start, beat(2).value.start]);
  });
});

describe('clock', () => {
  it('refreshes before a token ends, and never because the clock was set back', async () => {
    let nowMs = Date.UTC(2026, 2, 2);
    const { client, calls } = setUp(() => null, { now: () => nowMs });
    for (const jumpMs of [0, -30 * 24 * 3_600_000, 0, 31 * 24 * 3_600_000]) {
      nowMs += jumpMs;
      await client.enqueue(beats(1));
      assert.equal((await client.flush()).stopped, null);
    }
    assert.equal(calls.filter(({ path }) => path.endsWith('refresh')).length, 1);
  });
});

describe('parked items', () => {
  it('can be sent again or discarded', async () => {
    let isRefusing = true;
    const { client, calls, events } = setUp(({ path }) =>
      isRefusing && path.endsWith('uploads')
        ? { status: 409, body: { error: 'device_limit', message: 'too many devices', details: {} } }
        : null,
    );
    await client.enqueue(beats(1));
    assert.deepEqual(await client.flush(), { pending: 0, stopped: null });
    const [parked] = await client.listParked();
    assert.deepEqual([parked?.items[0]?.error, parked?.items[0]?.message], ['device_limit', 'too many devices']);
    assert.ok(events.some(({ type }) => type === 'parked'));
    isRefusing = false;
    await client.retryParked(parked?.key ?? '');
    await client.flush();
    assert.deepEqual(uploadsOf(calls).at(-1)?.body.samples, [beat(1).value]);
    assert.deepEqual(await client.listParked(), []);
  });
});

describe('automatic sending', () => {
  it('begins when the queue is long enough', async () => {
    const sent = Promise.withResolvers<void>();
    const { client } = setUp(() => null, {
      automatic: { items: 2, ageMs: 3_600_000 },
      onEvent: ({ type }) => void (type === 'finished' && sent.resolve()),
    });
    await client.enqueue(beats(1));
    await client.enqueue(beats(2));
    await sent.promise;
    assert.equal(await client.pending(), 0);
  });

  it('includes parked items that are queued again', { timeout: 10_000 }, async () => {
    let isRefusing = true;
    let sent = Promise.withResolvers<void>();
    const { client } = setUp(
      ({ path }) => (isRefusing && path.endsWith('uploads') ? error(409, 'device_limit') : null),
      {
        automatic: { items: 1, ageMs: 3_600_000 },
        onEvent: ({ type }) => void (type === 'finished' && sent.resolve()),
      },
    );
    await client.enqueue(beats(1));
    await sent.promise;
    isRefusing = false;
    sent = Promise.withResolvers();
    const [parked] = await client.listParked();
    await client.retryParked(parked?.key ?? '');
    await sent.promise;
    assert.deepEqual([await client.pending(), await client.listParked()], [0, []]);
  });
});
