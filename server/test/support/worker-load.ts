// Work for worker processes: tenants whose phones upload, and accounts at a stub cloud.
import assert from 'node:assert/strict';
import { DAY_MS, HOUR_MS } from '../../src/domain/time/durations.ts';
import type { Ending } from './ending.ts';
import type { CloudRequest } from './stub-cloud.ts';
import type { JsonBody, TestApi } from './test-api.ts';
import { type Connected, openTestCloud, type TestCloud } from './test-cloud.ts';
import { startPhone, type TestPhone } from './test-phone.ts';
import { createAccount, createUser } from './test-users.ts';
import { waitUntil } from './wait-until.ts';
import { startSink, type WebhookSink } from './webhook-sink.ts';

export const WORK_LIMIT_MS = 60_000;
export const MASTER_KEY = '7'.repeat(64);
export const FIRST_DAY_MS = Date.UTC(2025, 0, 1);
/** Paths of the stub. */
export const TOKEN = '/oura/oauth/token';
export const DATA = '/oura/v2/usercollection';

/** The API is in the process of the test and runs no jobs. */
export function openApiAtCloud(t: Ending): Promise<TestCloud> {
  return openTestCloud(t, {
    TRIBUTARY_MASTER_KEY: MASTER_KEY,
    TRIBUTARY_BACKFILL_DAYS: '60',
    TRIBUTARY_ALLOW_PRIVATE_WEBHOOKS: '1',
  });
}

export async function openSink(t: Ending): Promise<WebhookSink> {
  const sink = await startSink();
  t.after(() => sink.close());
  return sink;
}

type Tenant = {
  readonly id: string;
  readonly api: TestApi;
  readonly phones: readonly TestPhone[];
  users: string[];
};

export async function createTenant({ service }: TestCloud, phoneCount: number): Promise<Tenant> {
  const { id, live } = await createAccount(service);
  const api = service.api(live);
  const users = await Promise.all(Array.from({ length: phoneCount }, async () => (await createUser(api)).id as string));
  const phones = await Promise.all(users.map((user) => startPhone(service, user, { key: live })));
  return { id, api, phones, users };
}

export async function createWebhook({ api }: Tenant, url: string): Promise<void> {
  const made = await api.post('/v1/webhooks', { url, events: ['data.updated'] });
  assert.equal(made.status, 201, made.text);
}

export const dateOf = (day: number) => new Date(FIRST_DAY_MS + day * DAY_MS).toISOString().slice(0, 10);
export const heartRateOf = (day: number) => ({
  samples: [
    { metric: 'heart_rate', start: new Date(FIRST_DAY_MS + day * DAY_MS + 12 * HOUR_MS).toISOString(), value: 60 },
  ],
});

export async function readFeed(api: TestApi): Promise<JsonBody[]> {
  const events: JsonBody[] = [];
  for (let cursor = ''; ; ) {
    const { status, body, text } = await api.get(`/v1/events?limit=500${cursor && `&cursor=${cursor}`}`);
    assert.equal(status, 200, text);
    events.push(...body.events);
    if (!body.has_more) return events;
    cursor = body.cursor;
  }
}

type TestAccount = Connected & { readonly refreshToken: string };

export async function connectAccounts(cloud: TestCloud, name: string, count: number): Promise<TestAccount[]> {
  const accounts: TestAccount[] = [];
  for (let index = 0; index < count; index += 1) {
    const refreshToken = `${name}-${index}`;
    const tokens = { scopes: ['daily'], expiresInSeconds: 5, accessToken: `expired ${refreshToken}`, refreshToken };
    accounts.push({ ...(await cloud.connect('oura', { tokens })), refreshToken });
  }
  return accounts;
}

export function answerCloud({ stub }: TestCloud, released: Promise<void>): void {
  stub.requests.length = 0;
  stub.answer(TOKEN, async ({ form }) => {
    await released;
    const old = form.get('refresh_token');
    return { json: { access_token: `token of ${old}`, refresh_token: `next ${old}`, expires_in: 86_400 } };
  });
  stub.answer('/oura/v2/webhook', { json: [] });
  stub.answer(DATA, { json: { data: [], next_token: null } });
  stub.answer(`${DATA}/daily_activity`, ({ query }: CloudRequest) => {
    const [from, to] = [Date.parse(query.get('start_date') ?? ''), Date.parse(query.get('end_date') ?? '')];
    const days = Array.from({ length: (to - from) / DAY_MS }, (_, index) => {
      const day = new Date(from + index * DAY_MS).toISOString().slice(0, 10);
      return { id: day, day, steps: Number(day.slice(8)) * 100 };
    });
    const first = Number(query.get('next_token') ?? 0);
    const next = first + 10 < days.length ? String(first + 10) : null;
    return { json: { data: days.slice(first, first + 10), next_token: next } };
  });
}

export async function awaitSynced(cloud: TestCloud, accounts: readonly Connected[]): Promise<void> {
  for (const { device, user } of accounts) {
    await awaitNone(cloud, 'sync_tasks', 'device_id', device.id);
    const [stored] = await cloud.query('select backfill_state from devices where id = $1', [device.id]);
    assert.deepEqual(stored, { backfill_state: 'done' });
    const [steps] = await cloud.query<{ months: number }>(
      'select count(*)::int as months from daily_months where user_id = $1',
      [user.userId],
    );
    assert.ok((steps?.months ?? 0) >= 2, 'days of two months');
  }
}

/** Waits until no row has this value. */
export async function awaitNone({ query }: TestCloud, from: string, column: string, value: string): Promise<void> {
  const sql = `select 1 from ${from} where ${column}::text = $1 limit 1`;
  await waitUntil(`no ${from} of ${value}`, async () => (await query(sql, [value])).length === 0, WORK_LIMIT_MS);
}

/** Waits until everything of an account is published and delivered. */
export async function awaitDelivered(cloud: TestCloud, { id }: Tenant): Promise<void> {
  await awaitNone(cloud, 'event_outbox', 'account_id', id);
  await awaitNone(cloud, `(select * from webhook_deliveries where status <> 'succeeded') d`, 'account_id', id);
}

export function awaitScored(cloud: TestCloud, userId: string): Promise<void> {
  return awaitNone(cloud, '(select * from scoring_queue where not isempty(days)) q', 'user_id', userId);
}
