// The mobile package against the real service: the process is killed 200 times, answers get lost, the clock jumps. Afterwards the
// service has exactly what the platform has.
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, it } from 'node:test';
import { startTestService } from '../../../server/test/support/test-service.ts';
import { createUser } from '../../../server/test/support/test-users.ts';
import { createHostilePhone, Killed, runApp, seededRandom } from './hostile-phone.ts';
import { type Kept, makePlatformLog } from './platform-log.ts';

const service = await startTestService();
after(() => service.stop());
const api = service.api();

const KILLS = 200;
const SEEDS = [1, 2, 3, 4];
/** From the first storage call to the end of a few uploads. */
const MAX_CALLS_BEFORE_KILL = 40;
const HOUR_MS = 3_600_000;

async function issueToken(userId: string, kind: 'client' | 'mobile', installationId: string): Promise<string> {
  if (kind === 'mobile') {
    const answer = await api.post('/v1/auth/mobile-token', { user_id: userId });
    return answer.body.token ?? answer.body.mobile_token;
  }
  const answer = await api.post(
    `/v1/users/${userId}/sdk-sessions`,
    { installation_id: installationId, platform: 'ios' },
    { headers: { 'idempotency-key': randomUUID() } },
  );
  return answer.body.client_token;
}

async function readStored(userId: string): Promise<Kept> {
  const range = 'start_date=2026-03-01&end_date=2026-03-08';
  const answer = await api.get(`/v1/users/${userId}/timeseries?metrics=heart_rate,weight&${range}`);
  assert.equal(answer.status, 200, answer.text);
  const samples = new Map<string, number>();
  for (const { metric, timestamp, value } of answer.body.data as {
    metric: string;
    timestamp: string;
    value: number;
  }[]) {
    const key = `${metric} ${new Date(timestamp).toISOString()}`;
    assert.ok(!samples.has(key), `${key} is stored twice`);
    samples.set(key, value);
  }
  const listed = await api.get(`/v1/users/${userId}/workouts?from_date=2026-03-01&to_date=2026-03-08&limit=100`, {
    headers: { 'api-form': '2' },
  });
  assert.equal(listed.status, 200, listed.text);
  const starts = (listed.body.workouts ?? listed.body.data ?? listed.body.items) as {
    start_time?: string;
    start?: string;
  }[];
  return { samples, workouts: new Set(starts.map((w) => new Date(w.start_time ?? w.start ?? '').toISOString())) };
}

const NO_DIFFERENCE = { lost: [], doubled: [] };

/** Lists keys with their values. */
function compare(stored: Iterable<unknown>, kept: Iterable<unknown>): typeof NO_DIFFERENCE {
  const [has, wants] = [stored, kept].map((all) => new Set([...all].map((one) => JSON.stringify(one))));
  const without = (all: Set<string> = new Set(), others: Set<string> = new Set()) =>
    [...all].filter((one) => !others.has(one)) as never[];
  return { lost: without(wants, has), doubled: without(has, wants) };
}

it(`keeps everything and doubles nothing over ${KILLS} kills`, async () => {
  let kills = 0;
  let lost = 0;
  let refreshes = 0;
  for (const seed of SEEDS) {
    const random = seededRandom(seed);
    const { id: userId } = await createUser(api, { timezone: 'UTC' });
    const installationId = randomUUID();
    const kind = seed % 2 === 0 ? 'mobile' : 'client';
    // Some apps lose their anchor, and everything is sent again. The others have only one chance.
    const isForgetful = seed > 2;
    const phone = createHostilePhone({
      baseUrl: service.url,
      getToken: () => issueToken(userId, kind, installationId),
      random,
      lossRate: 0.15,
    });
    const { changes, kept } = makePlatformLog(random, isForgetful ? 60 : 150);
    while (phone.counts.kills < KILLS / SEEDS.length) {
      const client = phone.start(1 + Math.floor(random() * MAX_CALLS_BEFORE_KILL));
      if (isForgetful && phone.counts.kills % 25 === 24) await phone.storage.set('tributary/anchor/all', '0');
      await runApp(client, changes).catch((error: unknown) => assert.ok(error instanceof Killed, String(error)));
      if (random() < 0.8) phone.changeClock((random() - 0.3) * 72 * HOUR_MS);
    }
    const last = phone.start(0);
    await runApp(last, changes);
    const stored = await readStored(userId);
    assert.deepEqual(compare(stored.samples, kept.samples), NO_DIFFERENCE, `samples of seed ${seed}`);
    assert.deepEqual(compare(stored.workouts, kept.workouts), NO_DIFFERENCE, `workouts of seed ${seed}`);
    assert.deepEqual(await last.listParked(), []);
    assert.ok(kept.samples.size > 40 && kept.workouts.size > 0, 'the log is not empty');
    assert.equal([...phone.values.keys()].filter((key) => /queue|batch/.test(key)).length, 0);
    kills += phone.counts.kills;
    lost += phone.counts.lost;
    refreshes += phone.counts.refreshes;
  }
  assert.equal(kills, KILLS);
  assert.ok(lost > 10, `${lost} requests or answers were lost`);
  assert.ok(refreshes > 5, `${refreshes} refreshes`);
});
