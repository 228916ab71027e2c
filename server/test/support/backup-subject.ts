// A user with data, scores, events and a webhook, and everything that a restored service must return for it.
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Webhook as Verifier } from 'standardwebhooks';
import { REPOSITORY, type ReadyService } from './service-process.ts';
import { createApi, type JsonBody, type TestApi } from './test-api.ts';
import { startPhone, type TestPhone } from './test-phone.ts';
import { createUser } from './test-users.ts';
import { waitUntil } from './wait-until.ts';
import type { WebhookSink } from './webhook-sink.ts';

export type BackupSubject = {
  readonly userId: string;
  readonly keys: ReadyService['keys'];
  readonly phone: Pick<TestPhone, 'accessToken'>;
  readonly webhook: { readonly id: string; readonly secret: string };
};
/** A process or a service in this process. */
type Served = Pick<ReadyService, 'keys' | 'url'>;
type Query = (sql: string) => Promise<unknown[]>;

const LIMIT_MS = 60_000;
const RANGE = 'start_date=2025-03-01&end_date=2025-03-20';
const RANGE_2 = 'from_date=2025-03-01&to_date=2025-03-20';

/** Waits until everything is scored and published, so that nothing changes by itself. */
export async function createBackupSubject(service: Served, sink: WebhookSink, query: Query): Promise<BackupSubject> {
  const { keys } = service;
  const api = createApi(service.url, keys.live);
  const made = await api.post('/v1/webhooks', { url: sink.url('/hook'), events: ['user.deleted'] });
  assert.equal(made.status, 201, made.text);
  const { id: userId } = await createUser(api, { timezone: 'Europe/Berlin' });
  const phone = await startPhone({ api: (token = keys.live) => createApi(service.url, token) }, userId);
  await phone.upload({ sleep: listNights(), samples: listSteps(1) });
  await awaitPublished(query);
  return { userId, keys, phone, webhook: made.body.data };
}

/** What a client sees, as one value. */
export async function readEverything(service: Served, { userId, keys }: BackupSubject): Promise<JsonBody> {
  const api = createApi(service.url, keys.live);
  const path = `/v1/users/${userId}`;
  const state = await readAll(api, '1', {
    user: path,
    users: '/v1/users',
    devices: `${path}/devices`,
    daily: `${path}/daily?${RANGE}&include_sources=true`,
    explained: `${path}/daily/explain?metric=steps&date=2025-03-01`,
    sleep: `${path}/sleep?${RANGE}&include_sources=true`,
    workouts: `${path}/workouts?${RANGE}`,
    scores: `${path}/scores/history?${RANGE}`,
    series: `${path}/timeseries?start_date=2025-03-01&end_date=2025-03-02&metrics=steps`,
    feed: '/v1/events?limit=1000',
    webhooks: '/v1/webhooks',
  });
  assert.ok(state.scores.data.some(({ type }: JsonBody) => type === 'sleep_score'));
  assert.ok(state.sleep.data.length > 10 && state.feed.events.length > 2 && state.webhooks.data.length === 1);
  assert.equal((await createApi(service.url, keys.sandbox).get('/v1/users')).status, 200, 'the other key');
  const form2 = await readAll(api, '2', {
    user: path,
    users: '/v1/users',
    devices: `${path}/devices`,
    daily: `${path}/daily?${RANGE_2}`,
    sleep: `${path}/sleep?${RANGE_2}`,
    workouts: `${path}/workouts?${RANGE_2}`,
    scores: `${path}/scores?${RANGE_2}`,
    webhooks: '/v1/webhooks',
  });
  return { ...state, form2 };
}

async function readAll(api: TestApi, form: '1' | '2', paths: Readonly<Record<string, string>>): Promise<JsonBody> {
  const state: Record<string, JsonBody> = {};
  for (const [name, path] of Object.entries(paths)) {
    const answer = await api.get(path, { headers: { 'api-form': form } });
    assert.equal(answer.status, 200, `${path}: ${answer.text}`);
    state[name] = answer.body;
  }
  return state;
}

/** The restored service continues: old tokens and cursors work, secrets can be decrypted, and new events follow the old ones. */
export async function checkContinues(
  service: Served,
  { userId, keys, phone, webhook }: BackupSubject,
  { before, sink, query }: { before: JsonBody; sink: WebhookSink; query: Query },
): Promise<void> {
  const api = createApi(service.url, keys.live);
  const body = {
    upload_id: randomUUID(),
    source: { provider: 'apple_health', id: 'watch-1' },
    samples: listSteps(2),
  };
  const uploaded = await createApi(service.url, phone.accessToken).post('/v1/sdk/uploads', body);
  assert.equal(uploaded.status, 200, uploaded.text);
  await awaitPublished(query);
  const { events } = (await api.get(`/v1/events?cursor=${before.feed.cursor}`)).body;
  assert.ok(events.length > 0, 'the upload has an event');
  const known = new Set(before.feed.events.map(({ event_id }: JsonBody) => event_id));
  for (const event of events) assert.ok(event.user_id === userId && !known.has(event.event_id));

  const sent = sink.at('/hook').length;
  const tested = await api.post(`/v1/webhooks/${webhook.id}/test`);
  assert.ok(tested.status < 300, tested.text);
  const delivery = (await sink.wait('/hook', sent + 1, LIMIT_MS)).at(-1) ?? assert.fail();
  const headers = Object.fromEntries(Object.entries(delivery.headers).map(([name, value]) => [name, String(value)]));
  new Verifier(webhook.secret).verify(delivery.body, headers); // signed with the secret from before the backup
}

async function awaitPublished(query: Query): Promise<void> {
  // In this order: scoring writes events.
  for (const rows of ['scoring_queue where not isempty(days)', 'event_outbox'])
    await waitUntil(`no ${rows}`, async () => (await query(`select 1 from ${rows} limit 1`)).length === 0, LIMIT_MS);
}

/** The shell commands of a section of docs/backup.md, one text per block, up to the start of the service. */
export async function readDocumentedCommands(heading: string): Promise<string[]> {
  const text = await readFile(join(REPOSITORY, 'docs/backup.md'), 'utf8');
  const [, section = ''] = text.split(`### ${heading}\n`);
  const [own = ''] = section.split(/\n##/);
  return [...own.matchAll(/```sh\n([\s\S]*?)```/g)].map(([, block = '']) => block.replace('npm start\n', ''));
}

function listSteps(day: number): object[] {
  return Array.from({ length: 12 }, (_, hour) => {
    const start = Date.UTC(2025, 2, day, 8 + hour);
    return {
      metric: 'steps',
      start: new Date(start).toISOString(),
      end: new Date(start + 600_000).toISOString(),
      value: 500 + hour,
    };
  });
}

function listNights(): object[] {
  return Array.from({ length: 14 }, (_, day) => {
    const at = (minutes: number) => new Date(Date.UTC(2025, 2, day + 1, 22, minutes)).toISOString();
    return {
      id: `night-${day}`,
      start: at(0),
      end: at(480),
      stages: [
        { stage: 'light', start: at(0), end: at(240) },
        { stage: 'deep', start: at(240), end: at(360) },
        { stage: 'rem', start: at(360), end: at(480) },
      ],
    };
  });
}
