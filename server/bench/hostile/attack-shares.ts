// Attacks on the fair shares of accounts: each keeps expensive calls of one account in flight for a given time and repeats
// every call as soon as it gets a response. Loopback only.
import { randomUUID } from 'node:crypto';
import { makeUploadBody } from '../ingest/device-day.ts';
import { type Attack, repeatCalls } from './attack.ts';

const CREATIONS_AT_ONCE = 30;
const PREVIEWS_AT_ONCE = 24;
const OTHERS_AT_ONCE = 64;
const UPLOADED_DAYS = 40;

const attackWithSandboxCreations: Attack = (target, { seconds, callers = CREATIONS_AT_ONCE }) =>
  repeatCalls(target, { seconds, callers }, () => ({
    method: 'POST',
    path: '/v1/users',
    key: target.sandboxKey,
    body: { reference_id: randomUUID(), timezone: 'Europe/Berlin' },
  }));

const attackWithPreviews: Attack = (target, { seconds, callers = PREVIEWS_AT_ONCE }) =>
  repeatCalls(target, { seconds, callers }, () => ({
    method: 'PATCH',
    path: `/v1/users/${target.userId}/consolidation?preview=true`,
    key: target.liveKey,
    body: { metrics: { steps: { method: 'max' } } },
  }));

/** Every change enqueues a rebuild of all days. */
const attackWithRebuilds: Attack = (target, { seconds, callers = OTHERS_AT_ONCE }) =>
  repeatCalls(target, { seconds, callers }, (count) => ({
    method: 'PATCH',
    path: `/v1/users/${target.userId}/consolidation`,
    key: target.liveKey,
    body: { metrics: { steps: { method: count % 2 === 0 ? 'max' : 'avg' } } },
  }));

const attackWithDailyReads: Attack = (target, { seconds, callers = OTHERS_AT_ONCE }) =>
  repeatCalls(target, { seconds, callers }, (count) => ({
    method: 'GET',
    path: `/v1/users/${target.userId}/daily?from_date=2025-03-${pad(1 + (count % 28))}&to_date=2026-02-27&include_sources=true`,
    key: target.liveKey,
  }));

const attackWithTimeseries: Attack = (target, { seconds, callers = OTHERS_AT_ONCE }) =>
  repeatCalls(target, { seconds, callers }, (count) => ({
    method: 'GET',
    path: `/v1/users/${target.userId}/timeseries?metrics=heart_rate,steps,active_calories&start_date=2025-04-01&end_date=2025-04-${pad(1 + (count % 30))}`,
    key: target.liveKey,
  }));

const attackWithExplains: Attack = (target, { seconds, callers = OTHERS_AT_ONCE }) =>
  repeatCalls(target, { seconds, callers }, (count) => ({
    method: 'GET',
    path: `/v1/users/${target.userId}/daily/explain?metric=steps&date=2025-04-${pad(1 + (count % 30))}`,
    key: target.liveKey,
  }));

/** Each phone uploads days of samples, one after the other. */
const attackWithUploads: Attack = (target, { seconds, callers = target.sdkTokens.length }) => {
  const bodies = Array.from({ length: UPLOADED_DAYS }, (_, day) => makeUploadBody(day));
  return repeatCalls(target, { seconds, callers }, (count) => ({
    method: 'POST',
    path: '/v1/sdk/uploads',
    key: target.sdkTokens[count % target.sdkTokens.length] ?? '',
    body: bodies[Math.floor(count / target.sdkTokens.length) % UPLOADED_DAYS],
  }));
};

export const SHARE_ATTACKS: Readonly<Record<string, Attack>> = {
  'sandbox creations': attackWithSandboxCreations,
  previews: attackWithPreviews,
  rebuilds: attackWithRebuilds,
  'daily reads': attackWithDailyReads,
  timeseries: attackWithTimeseries,
  explains: attackWithExplains,
  uploads: attackWithUploads,
};

function pad(day: number): string {
  return String(day).padStart(2, '0');
}
