// Rejections that name a list instead of an item: nothing of the list is lost.
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { beat, SOURCE, setUp, uploadsOf } from '../test/fake-service.ts';

const TOO_DENSE = { error: 'too_dense', message: '2 samples of heart_rate would exceed 216,000 within six hours' };
const walk = {
  list: 'workouts' as const,
  ids: ['w'],
  value: { id: 'w', sport_type: 'walking', start: '2026-03-02T07:00:00Z', end: '2026-03-02T07:30:00Z' },
};

function rejecting(...rejected: readonly { path: string; error: string; message: string }[]) {
  let isFirst = true;
  return setUp(({ path, body: { upload_id } }) => {
    if (!path.endsWith('uploads') || !isFirst) return null;
    isFirst = false;
    return { body: { upload_id, accepted: 2, duplicates: 0, deleted: 0, rejected, rejected_count: 2 } };
  });
}

it('parks all items of a list of which the service refused some', async () => {
  const { client, calls, events } = rejecting({ path: 'samples', ...TOO_DENSE });
  await client.enqueue({ groups: [{ source: SOURCE, items: [beat(1), beat(2), beat(3), walk] }] });
  assert.deepEqual(await client.flush(), { pending: 0, stopped: null });
  const [parked] = await client.listParked();
  assert.deepEqual(
    parked?.items,
    [beat(1), beat(2), beat(3)].map((item) => ({ item, ...TOO_DENSE })),
  );
  assert.deepEqual(
    events.filter(({ type }) => type === 'parked'),
    [{ type: 'parked', items: 3, ...TOO_DENSE }],
  );
  await client.retryParked(parked?.key ?? '');
  await client.flush();
  assert.deepEqual(uploadsOf(calls)[1]?.body.samples, [beat(1).value, beat(2).value, beat(3).value]);
  assert.deepEqual(await client.listParked(), []);
});

it('keeps the own reason of an item, and parks it once', async () => {
  const invalid = { error: 'out_of_range', message: 'must be between 20 and 300 bpm' };
  const { client, calls } = rejecting(
    { path: 'samples[0].value', ...invalid },
    { path: 'samples[1]', error: 'over_limit', message: 'm' },
    { path: 'samples', ...TOO_DENSE },
    { path: 'samples', ...TOO_DENSE },
    { path: 'workouts', ...TOO_DENSE },
    { path: 'unknown', ...TOO_DENSE },
  );
  await client.enqueue({ groups: [{ source: SOURCE, items: [beat(1), beat(2), beat(3), walk] }] });
  assert.deepEqual(await client.flush(), { pending: 0, stopped: null });
  assert.deepEqual(
    (await client.listParked()).flatMap(({ items }) => items),
    [
      { item: beat(1), ...invalid },
      { item: beat(3), ...TOO_DENSE },
      { item: walk, ...TOO_DENSE },
    ],
  );
  assert.deepEqual(uploadsOf(calls)[1]?.body.samples, [beat(2).value]);
});

it('parks the deletions of a list', async () => {
  const { client } = rejecting({ path: 'deleted', ...TOO_DENSE });
  const deletion = { kind: 'sleep', id: 's1' } as const;
  await client.enqueue({ deletions: [{ source: SOURCE, deletion }] });
  await client.flush();
  const [parked] = await client.listParked();
  assert.deepEqual(parked?.items, [{ item: { list: 'deleted', value: deletion }, ...TOO_DENSE }]);
});
