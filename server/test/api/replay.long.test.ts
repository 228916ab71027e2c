// Tests POST /admin/replays, which maps stored payloads again.
import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { createFrozenClock } from '../support/test-clock.ts';
import { IPHONE, startPhone } from '../support/test-phone.ts';
import { startTestService } from '../support/test-service.ts';
import { ABSENT_ID, createAccount, createUser } from '../support/test-users.ts';
import { waitUntil } from '../support/wait-until.ts';

const clock = createFrozenClock(new Date('2026-03-10T12:00:00Z'));
const service = await startTestService({ clock });
after(() => service.stop());
const api = service.api();
const operator = service.operator();
const { db } = service.running.services;

// Events leave the outbox by themselves; the tests count whether one was written.
await db.query('create table written_events (user_id uuid, type text, device_id uuid)');
await db.query(
  `create function note_event() returns trigger language plpgsql as
   'begin insert into written_events values (new.user_id, new.type, new.device_id); return null; end'`,
);
await db.query('create trigger note_event after insert on event_outbox for each row execute function note_event()');

const steps = (start: string, value: number) => ({
  metric: 'steps',
  start: `2026-03-09T${start}:00Z`,
  end: `2026-03-09T${start}:30Z`,
  value,
});
const night = (asleep_minutes: number) => ({
  id: 'night-1',
  start: '2026-03-08T22:00:00Z',
  end: '2026-03-09T06:00:00Z',
  asleep_minutes,
});

/** After the due scores, which advance the revision too. */
async function readState(userId: string) {
  await waitUntil('the scores', async () => {
    const due = await db.query('select 1 from scoring_queue where user_id = $1 and due_at <= $2', [
      userId,
      clock.now(),
    ]);
    return due.length === 0;
  });
  const [revision] = await db.query<{ data_revision: string }>('select data_revision from users where id = $1', [
    userId,
  ]);
  const events = await db.query<{ device_id: string | null }>(
    `select device_id from written_events where user_id = $1 and type <> 'score.updated'`,
    [userId],
  );
  const blocks = await db.query('select * from sample_blocks where user_id = $1 order by metric, block, device', [
    userId,
  ]);
  const sleeps = await db.query('select * from sleep_sessions where user_id = $1 order by id', [userId]);
  const days = await db.query('select * from daily_months where user_id = $1 order by month', [userId]);
  return { revision: revision?.data_revision, events, blocks, sleeps, days };
}

/** Also waits for the rebuild that follows. */
async function replay(body: object): Promise<number> {
  const answer = await operator.post('/admin/replays', body);
  assert.equal(answer.status, 202, answer.text);
  await waitUntil('all replays are done', async () => {
    const [row] = await db.query<{ count: number }>(
      `select count(*)::int as count from graphile_worker.jobs where task_identifier in ('replay_user', 'rebuild_user')`,
    );
    return row?.count === 0;
  });
  return answer.body.users;
}

async function readSteps(userId: string): Promise<unknown> {
  const answer = await api.get(`/v1/users/${userId}/daily?types=steps,weight&from_date=2026-03-09&to_date=2026-03-09`);
  return answer.body.series;
}

describe('POST /admin/replays', () => {
  it('changes nothing if the mapping is the same, whatever was corrected, deleted and sent again since', async () => {
    const user = await createUser(api);
    const phone = await startPhone(service, user.id);
    const upload = (parts: object) => {
      clock.advance(1_000);
      return phone.upload(parts);
    };
    await upload({ samples: [steps('08:00', 100), steps('09:00', 100)], sleep: [night(400)] });
    await upload({ source: IPHONE, samples: [steps('08:00', 50)] });
    await upload({ daily: [{ date: '2026-03-09', metric: 'weight', value: 80 }] });
    await upload({ samples: [steps('08:00', 150)], daily: [{ date: '2026-03-09', metric: 'weight', value: 81 }] });
    const interval = { kind: 'samples', metric: 'steps', start: '2026-03-09T09:00:00Z', end: '2026-03-09T23:00:00Z' };
    await upload({ deleted: [interval, { kind: 'sleep', id: 'night-1' }] });
    await upload({ samples: [steps('09:00', 70), steps('10:00', 7)], sleep: [night(410)] });
    await upload({ deleted: [{ ...interval, start: interval.end }, interval], samples: [steps('11:00', 5)] });
    await upload({ samples: [steps('10:00', 8)] });
    const before = await readState(user.id);
    const ofDevices = before.events.filter(({ device_id }) => device_id !== null);
    assert.equal(ofDevices.length, 10, 'two devices, eight changes');
    assert.equal(await replay({ user_id: user.id }), 1);
    assert.deepEqual(await readState(user.id), before);
    assert.deepEqual(await readSteps(user.id), { steps: [163], weight: [81] });
  });

  it('repairs damaged samples, sleeps and days', async () => {
    const user = await createUser(api);
    const phone = await startPhone(service, user.id);
    const first = { samples: [steps('08:00', 100), steps('20:00', 20)], sleep: [night(400)] };
    await phone.upload({ ...first, daily: [{ date: '2026-03-09', metric: 'weight', value: 80 }] });
    clock.advance(1_000);
    await phone.upload({ samples: [steps('08:00', 150)] });
    const stranger = await createUser(api);
    await (await startPhone(service, stranger.id)).upload({ samples: [steps('08:00', 9_999)] });
    const [other] = await db.query<{ block: number; payload: Buffer }>(
      'select block, payload from sample_blocks where user_id = $1',
      [stranger.id],
    );
    const damages = new Map([
      ['update sample_blocks set payload = $3 where user_id = $1 and block = $2', [other?.block, other?.payload]],
      ['delete from sample_blocks where user_id = $1', []],
      ['delete from daily_months where user_id = $1', []],
      ['delete from device_months where user_id = $1', []],
      ['delete from sleep_sessions where user_id = $1', []],
    ]);
    for (const [damage, values] of damages) {
      await db.query(damage, [user.id, ...values]);
      await replay({ user_id: user.id });
      assert.deepEqual(await readSteps(user.id), { steps: [170], weight: [80] }, damage);
      const [sleep] = await db.query('select count(*)::int as count from sleep_sessions where user_id = $1', [user.id]);
      assert.deepEqual(sleep, { count: 1 }, damage);
    }
  });

  it('removes records that were deleted and that the damage restored, and nothing sent since', async () => {
    const user = await createUser(api);
    const phone = await startPhone(service, user.id);
    await phone.upload({ samples: [steps('08:00', 1), steps('09:00', 2), steps('10:00', 4), steps('11:00', 8)] });
    const [deleted] = await db.query<{ payload: Buffer }>('select payload from sample_blocks where user_id = $1', [
      user.id,
    ]);
    clock.advance(1_000);
    const interval = { kind: 'samples', metric: 'steps', start: '2026-03-09T08:30:00Z', end: '2026-03-09T23:00:00Z' };
    await phone.upload({ deleted: [interval], samples: [steps('09:00', 16)] });
    clock.advance(1_000);
    await phone.upload({ samples: [steps('11:00', 32)] });
    await db.query('update sample_blocks set payload = $2, count = 4 where user_id = $1', [user.id, deleted?.payload]);
    await replay({ user_id: user.id });
    assert.deepEqual(await readSteps(user.id), { steps: [1 + 16 + 32], weight: [null] });
  });

  it('an upload during the replay wins', async () => {
    const user = await createUser(api);
    const phone = await startPhone(service, user.id);
    for (let minute = 0; minute < 40; minute += 1) {
      clock.advance(1_000);
      await phone.upload({ samples: [steps(`08:${10 + minute}`, 1), steps('07:00', minute)] });
    }
    await db.query('delete from sample_blocks where user_id = $1', [user.id]);
    const replaying = replay({ user_id: user.id });
    clock.advance(1_000);
    await phone.upload({ samples: [steps('07:00', 1_000)] });
    await replaying;
    assert.deepEqual(await readSteps(user.id), { steps: [1_040], weight: [null] });
  });

  it('skips payloads of deleted devices, and unreadable ones', async () => {
    const user = await createUser(api);
    const phone = await startPhone(service, user.id);
    const damaged = await phone.upload({ samples: [steps('08:00', 100)] });
    await phone.upload({ samples: [steps('09:00', 10)] });
    await phone.upload({ source: IPHONE, samples: [steps('08:00', 1)] });
    await db.query(`update devices set status = 'disconnected' where user_id = $1 and device_class = 'phone'`, [
      user.id,
    ]);
    await db.query(`update raw_payloads set payload = 'x' where user_id = $1 and id = $2`, [
      user.id,
      damaged.upload_id,
    ]);
    await db.query('delete from sample_blocks where user_id = $1', [user.id]);
    await replay({ user_id: user.id });
    const rows = await db.query('select count, max from sample_blocks where user_id = $1', [user.id]);
    assert.deepEqual(rows, [{ count: 1, max: 10 }]);
  });

  it('replays an account and environment, or all: every user with payloads', async () => {
    const account = await createAccount(service);
    for (const key of [account.live, account.live, account.sandbox]) {
      const user = await createUser(service.api(key));
      await (await startPhone(service, user.id, { key })).upload({ samples: [steps('08:00', 1)] });
    }
    await createUser(service.api(account.live));
    assert.equal(await replay({ account: account.name, environment: 'live' }), 2);
    assert.equal(await replay({ account: account.name, environment: 'sandbox' }), 1);
    const [all] = await db.query<{ count: number }>('select count(distinct user_id)::int as count from raw_payloads');
    assert.equal(await replay({ all: true }), all?.count);
    assert.deepEqual((await operator.get('/admin/replays')).body, { open: 0, given_up: 0 });
  });

  it('400 for no selection or two, 404 for an unknown user', async () => {
    for (const body of [
      {},
      { all: false },
      { account: 'default' },
      { environment: 'live' },
      { all: true, user_id: ABSENT_ID },
      { all: true, account: 'default' },
      { all: true, since: '2026-01-01' },
    ])
      assert.equal((await operator.post('/admin/replays', body)).status, 400, JSON.stringify(body));
    for (const body of [{ user_id: ABSENT_ID }, { user_id: 'x' }, { account: 'nobody', environment: 'live' }])
      assert.equal((await operator.post('/admin/replays', body)).status, 404, JSON.stringify(body));
  });
});
