// Fills a database with users. Two are created through uploads; the others are copies of their rows.

import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { METRICS, type Metric } from '../../src/domain/metrics/index.ts';
import { DAY_MS } from '../../src/domain/time/durations.ts';
import { makeUploadBody } from '../ingest/device-day.ts';
import type { BenchService } from '../support/bench-service.ts';
import { createUsers, openSessions } from '../support/create-users.ts';
import { isQueried } from './queries.ts';

export type UserIds = {
  /** Two months of data from a watch and a phone, and 31 days of heart rate at ten-second intervals. */
  readonly ordinary: readonly string[];
  /** Every metric on every day. */
  readonly withOneYear: readonly string[];
  readonly withTenYears: readonly string[];
};

const SAMPLE_DAYS = 31; // January 2025
const END_MS = Date.UTC(2025, 1, 1);
const ORDINARY_DATES = 62;
const ORDINARY_METRICS = 60;
const LONG_DATES = 366;
const DATES_AN_UPLOAD = 61;
const LONG_TIME_USERS = 64;
const COPIED_AT_A_TIME = 250;
const SOURCE = { provider: 'apple_health', id: 'watch-1', name: 'Watch', device_class: 'wrist' };
const STATED = METRICS.filter(({ consolidation: { by } }) => by !== 'derived' && by !== 'computed');

export async function fillDatabase(service: BenchService, users: number): Promise<UserIds> {
  const [ordinary = '', longTime = ''] = await createUsers(service, 2);
  const [ordinaryToken = '', longTimeToken = ''] = await openSessions(service, [ordinary, longTime]);
  for (let day = 0; day < SAMPLE_DAYS; day += 1)
    await upload(service, ordinaryToken, JSON.parse(makeUploadBody(day).toString()));
  await uploadDates(service, ordinaryToken, usualMetrics(), ORDINARY_DATES);
  await uploadDates(service, longTimeToken, STATED, LONG_DATES);
  const client = new pg.Client(service.facts.pool);
  await client.connect();
  try {
    const userIds: UserIds = {
      ordinary: await copyUser(client, ordinary, { count: users, years: 1 }),
      withOneYear: await copyUser(client, longTime, { count: LONG_TIME_USERS, years: 1 }),
      withTenYears: await copyUser(client, longTime, { count: LONG_TIME_USERS, years: 10 }),
    };
    await client.query('vacuum analyze'); // now, so that autovacuum does not run during the measurement
    await client.query('checkpoint');
    return userIds;
  } finally {
    await client.end();
  }
}

/** Users with two months of daily values and nothing else, which takes seconds. */
export async function fillDaily(service: BenchService, users: number): Promise<readonly string[]> {
  const [template = ''] = await createUsers(service, 1);
  const [token = ''] = await openSessions(service, [template]);
  await uploadDates(service, token, usualMetrics(), ORDINARY_DATES);
  const client = new pg.Client(service.facts.pool);
  await client.connect();
  try {
    const ids = await copyUser(client, template, { count: users, years: 1 });
    await client.query('vacuum analyze');
    return ids;
  } finally {
    await client.end();
  }
}

/** The metrics that the benchmarks read are among them. */
function usualMetrics(): Metric[] {
  return STATED.toSorted((a, b) => Number(isQueried(b.id)) - Number(isQueried(a.id))).slice(0, ORDINARY_METRICS);
}

async function uploadDates(service: BenchService, token: string, metrics: readonly Metric[], dates: number) {
  for (let first = dates; first > 0; first -= DATES_AN_UPLOAD) {
    const daysBack = Array.from({ length: Math.min(first, DATES_AN_UPLOAD) }, (_, index) => first - index);
    const daily = daysBack.flatMap((back) => {
      const date = new Date(END_MS - back * DAY_MS).toISOString().slice(0, 10);
      return metrics.map((metric) => ({ date, metric: metric.id, value: usualValue(metric, back) }));
    });
    await upload(service, token, { upload_id: randomUUID(), source: SOURCE, daily });
  }
}

async function upload(service: BenchService, token: string, body: unknown): Promise<void> {
  const answer = await service.call<{ rejected_count: number }>('POST', '/v1/sdk/uploads', body, token);
  if (answer.rejected_count > 0) throw new Error(`items were rejected: ${JSON.stringify(answer).slice(0, 500)}`);
}

function usualValue({ usual, decimals }: Metric, day: number): number {
  return Number((usual.min + ((usual.max - usual.min) * ((day * 37) % 97)) / 97).toFixed(decimals));
}

type Copies = { readonly count: number; readonly years: number };

async function copyUser(client: pg.Client, template: string, { count, years }: Copies): Promise<string[]> {
  const ids = Array.from({ length: count }, () => randomUUID() as string);
  for (let first = 0; first < count; first += COPIED_AT_A_TIME) {
    const some = ids.slice(first, first + COPIED_AT_A_TIME);
    for (const text of COPY_PERSON) await client.query(text, [template, some]);
    for (const text of COPY_MONTHS) await client.query(text, [template, some, years]);
  }
  return ids;
}

const COPY_PERSON = [
  `insert into users (id, account_id, environment, reference_id, status, score_status, profile, metadata, created_at,
     last_sync_at, data_revision, longest_sample_seconds)
   select new.id, account_id, environment, new.id::text, status, score_status, profile, metadata, created_at,
     last_sync_at, data_revision, longest_sample_seconds from unnest($2::uuid[]) as new(id), users t where t.id = $1`,
  `insert into user_zones (user_id, valid_from, zone)
   select new.id, valid_from, zone from unnest($2::uuid[]) as new(id), user_zones t where t.user_id = $1`,
  `insert into devices (user_id, id, number, provider, status, transport, device_class, identity, name, connected_at, last_sync_at)
   select new.id, gen_random_uuid(), number, provider, status, transport, device_class, identity, name, connected_at,
     last_sync_at from unnest($2::uuid[]) as new(id), devices t where t.user_id = $1`,
  `insert into sample_blocks (user_id, min, max, sum, block, revision, count, first_ms, last_ms, reach_seconds, metric, device, payload)
   select new.id, min, max, sum, block, revision, count, first_ms, last_ms, reach_seconds, metric, device, payload
     from unnest($2::uuid[]) as new(id), sample_blocks t where t.user_id = $1`,
];

/** Repeats the same year for each earlier year and keeps a month that occurs in two of them only once. */
const COPY_MONTHS = [
  `insert into daily_months (user_id, month, payload)
   select new.id, month - 12 * back, payload from unnest($2::uuid[]) as new(id), daily_months t, generate_series(0, $3 - 1) back
    where t.user_id = $1 on conflict do nothing`,
  `insert into device_months (user_id, month, device, payload)
   select new.id, month - 12 * back, device, payload from unnest($2::uuid[]) as new(id), device_months t, generate_series(0, $3 - 1) back
    where t.user_id = $1 on conflict do nothing`,
];
