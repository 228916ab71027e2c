// Records a call of every operation in every form, every error that a client can cause, and an event of every type. The generator
// shows them in the OpenAPI document. After a change: UPDATE_GOLDEN=1 npm test -- server/test/golden && npm run format && npm run generate
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { after, it } from 'node:test';
import { EVENT_TYPES } from '../../src/features/notify/events/index.ts';
import { wireCodeOf } from '../../src/platform/error-codes.ts';
import { AppError } from '../../src/platform/errors.ts';
import { listErrorCodes } from '../../src/platform/http/openapi.ts';
import { formatError } from '../../src/platform/http/reply.ts';
import { publicRoutes } from '../../src/routes.ts';
import { scoreNow } from '../support/scored-days.ts';
import type { JsonBody } from '../support/test-api.ts';
import { createFrozenClock } from '../support/test-clock.ts';
import { startPhone } from '../support/test-phone.ts';
import { createRosterSide, INVITATIONS, newAddress, ROSTER } from '../support/test-roster.ts';
import { startTestService } from '../support/test-service.ts';
import { ABSENT_ID, createUser } from '../support/test-users.ts';
import { waitUntil } from '../support/wait-until.ts';
import { startSink } from '../support/webhook-sink.ts';
import { createRecorder, shapeOf } from './example-recorder.ts';
import { FIXTURE_NOW, PERSON, uploadFixture } from './fixture.ts';

const FOLDER = path.join(import.meta.dirname, 'examples');
const sink = await startSink();
const printed: string[] = [];
const service = await startTestService({
  clock: createFrozenClock(FIXTURE_NOW),
  environment: { TRIBUTARY_ALLOW_PRIVATE_WEBHOOKS: '1' },
  printedLines: printed,
});
after(async () => {
  await service.stop();
  await sink.close();
});
const api = service.api();
const sandbox = service.api(service.keys.sandbox);
const anyone = service.api(null);
const recorder = createRecorder(service.url);
const { record, recordForms, refuse } = recorder;

const { id: userId } = await createUser(api, PERSON);
const phone = await startPhone(service, userId);
await uploadFixture(phone);
await scoreNow(service, userId);
const user = `/v1/users/${userId}`;
const DAYS_1 = 'start_date=2026-03-28&end_date=2026-03-29';
const DAYS_2 = 'from_date=2026-03-28&to_date=2026-03-29';
const first = (body: JsonBody) => ({ ...body, data: body.data.slice(0, 1) });
const lines = (text: string) => `${text.split('\n').slice(0, 3).join('\n')}\n`;

async function recordUsers(): Promise<void> {
  await recordForms(api, 'createUser', 'POST', (form) => ({
    path: '/v1/users',
    body: {
      [form === 1 ? 'reference_id' : 'external_ref']: `patient-${form}`,
      timezone: 'Europe/Berlin',
      profile: { birth_date: '1990-05-17', sex: 'female', height_cm: 172 },
      metadata: { plan: 'premium' },
    },
  }));
  await recordForms(api, 'listUsers', 'GET', (form) => ({
    path: form === 1 ? '/v1/users?page=1&per_page=1' : '/v1/users?limit=1',
  }));
  await recordForms(api, 'getUser', 'GET', () => ({ path: user }));
  await recordForms(api, 'updateUser', 'PATCH', () => ({
    path: user,
    body: { timezone: 'Europe/Berlin', metadata: { plan: 'basic' } },
  }));
  for (const form of [1, 2] as const) {
    const { id } = await createUser(api);
    await record(api, 'deleteUser', 'DELETE', `/v1/users/${id}`, { form });
  }
}

const exportIn = (format: string) =>
  `${user}/export?format=${format}&resources=daily&metrics=steps&from=2026-03-29&to=2026-03-29`;

async function recordReads(): Promise<void> {
  await record(api, 'exportUser', 'GET', exportIn('ndjson'), { shorten: lines });
  await record(api, 'listMetrics', 'GET', '/v1/catalog/metrics', { shorten: first });
  await record(api, 'listRestrictions', 'GET', `${user}/restrictions`);
  await record(sandbox, 'listProviders', 'GET', '/v1/providers', { shorten: first });
  await recordForms(api, 'readDaily', 'GET', (form) => ({
    path: form === 1 ? `${user}/daily?${DAYS_1}&metrics=steps,asleep` : `${user}/daily?${DAYS_2}&types=steps,asleep`,
  }));
  await recordForms(api, 'listSleep', 'GET', (form) => ({
    path: `${user}/sleep?${form === 1 ? DAYS_1 : `${DAYS_2}&limit=1`}&include=stages`,
    shorten: first,
  }));
  await recordForms(api, 'listWorkouts', 'GET', (form) => ({
    path: `${user}/workouts?${form === 1 ? DAYS_1 : DAYS_2}`,
  }));
  const [workout] = (await api.get(`${user}/workouts?${DAYS_2}`)).body.data;
  const shorten = (body: JsonBody) => ({
    ...body,
    heart_rate: { ...body.heart_rate, samples: body.heart_rate.samples.slice(0, 2) },
  });
  await recordForms(api, 'getWorkout', 'GET', () => ({ path: `${user}/workouts/${workout.id}`, shorten }));
  await recordForms(api, 'readScores', 'GET', (form) => ({
    path: form === 1 ? `${user}/scores` : `${user}/scores?${DAYS_2}&types=sleep_score`,
    shorten: form === 1 ? first : (body) => body,
  }));
  await record(api, 'readScoreHistory', 'GET', `${user}/scores/history?${DAYS_1}`);
  await recordForms(api, 'explainDaily', 'GET', () => ({ path: `${user}/daily/explain?metric=steps&date=2026-03-29` }));
  await recordForms(api, 'explainScore', 'GET', () => ({
    path: `${user}/scores/explain?type=sleep_score&date=2026-03-29`,
  }));
  const shortList = (body: JsonBody) => ({ data: body.data.slice(0, 3) });
  await record(api, 'readTimeseries', 'GET', `${user}/timeseries?${DAYS_1}&metrics=steps,heart_rate`, {
    shorten: shortList,
  });
}

async function recordDevices(): Promise<void> {
  await record(api, 'listDevices', 'GET', `${user}/devices`);
  const { id } = await createUser(sandbox);
  await recordForms(sandbox, 'connectDevice', 'POST', () => ({
    path: `/v1/users/${id}/devices`,
    body: { provider: 'oura' },
  }));
  const devices = (await sandbox.get(`/v1/users/${id}/devices`)).body.data as {
    id: string;
    status: string;
    provider: string;
  }[];
  const active = devices.filter(({ status }) => status === 'active');
  for (const device of active) {
    const answer = await sandbox.post(`/v1/users/${id}/devices/${device.id}/sync`);
    if (answer.status !== 202) continue;
    await record(sandbox, 'syncDevice', 'POST', `/v1/users/${id}/devices/${device.id}/sync`);
    break;
  }
  await record(sandbox, 'disconnectDevice', 'DELETE', `/v1/users/${id}/devices/${active[0]?.id}`);
}

async function recordConsolidation(): Promise<void> {
  const shortCatalog = (body: JsonBody) => ({ ...body, metrics: body.metrics.slice(0, 1) });
  const shortChange = (body: JsonBody) => ({ ...body, configuration: shortCatalog(body.configuration) });
  const body = { metrics: { steps: { method: 'max' } } };
  await record(api, 'getConsolidationCatalog', 'GET', '/v1/consolidation/catalog', { shorten: shortCatalog });
  await record(api, 'getConsolidation', 'GET', `${user}/consolidation`, { shorten: shortCatalog });
  await record(api, 'changeConsolidation', 'PATCH', `${user}/consolidation?preview=true`, { body });
  await record(api, 'changeConsolidation', 'PATCH', `${user}/consolidation`, { body, shorten: shortChange });
  await record(api, 'resetConsolidation', 'DELETE', `${user}/consolidation`, { shorten: shortChange });
}

async function recordSdk(): Promise<void> {
  const body = { installation_id: 'phone-1', platform: 'ios', app_version: '4.2.0' };
  const headers = { 'idempotency-key': randomUUID() };
  const started = await record(api, 'createSdkSession', 'POST', `${user}/sdk-sessions`, { body, headers });
  await record(api, 'createSdkSession', 'POST', `${user}/sdk-sessions`, { body, headers });
  await refuse(api, 'idempotency_conflict', 'POST', `${user}/sdk-sessions`, {
    body: { ...body, platform: 'android' },
    headers,
  });
  const exchange = { client_token: started.body.client_token };
  const { body: credentials } = await record(anyone, 'exchangeSdkToken', 'POST', '/v1/sdk/sessions/exchange', {
    body: exchange,
  });
  const refresh = { refresh_token: credentials.refresh_token };
  const { body: renewed } = await record(anyone, 'refreshSdkCredentials', 'POST', '/v1/sdk/sessions/refresh', {
    body: refresh,
  });
  const upload = {
    upload_id: randomUUID(),
    source: { provider: 'apple_health', id: 'watch', name: 'Watch' },
    samples: [{ metric: 'heart_rate', start: '2026-03-30T09:00:00+02:00', value: 61 }],
    daily: [{ date: '2026-03-30', metric: 'water', value: 1.5, unit: 'L' }],
  };
  const sdk = service.api(renewed.access_token);
  await record(sdk, 'uploadData', 'POST', '/v1/sdk/uploads', { body: upload });
  await refuse(sdk, 'upload_conflict', 'POST', '/v1/sdk/uploads', { body: { ...upload, samples: [] } });
  await record(api, 'listSdkSessions', 'GET', `${user}/sdk-sessions`, { shorten: first });
  await record(sdk, 'revokeCurrentSdkSession', 'DELETE', '/v1/sdk/sessions/current');
  const { sessionId } = await startPhone(service, userId);
  await record(api, 'revokeSdkSession', 'DELETE', `${user}/sdk-sessions/${sessionId}`);
}

async function recordRoster(): Promise<void> {
  const roster = createRosterSide(api, printed);
  const email = newAddress();
  const { body } = await record(api, 'inviteMember', 'POST', INVITATIONS, {
    body: { email, name: 'Ada', language: 'en' },
  });
  await refuse(api, 'already_invited', 'POST', INVITATIONS, { body: { email } });
  await record(api, 'getInvitation', 'GET', `${INVITATIONS}/${body.id}`);
  await record(api, 'revokeInvitation', 'DELETE', `${INVITATIONS}/${body.id}`);
  const address = newAddress();
  const { id } = await roster.join(address);
  await refuse(api, 'already_member', 'POST', INVITATIONS, { body: { email: address } });
  await record(api, 'listMembers', 'GET', `${ROSTER}?limit=1`);
  await record(api, 'getMember', 'GET', `${ROSTER}/${id}`);
  await record(api, 'updateMember', 'PATCH', `${ROSTER}/${id}`, { body: { status: 'archived' } });
  await record(api, 'removeMember', 'DELETE', `${ROSTER}/${id}`);
}

async function recordTokens(): Promise<void> {
  const body = { user_id: userId };
  const { body: issued } = await record(api, 'issueUserToken', 'POST', '/v1/auth/user-token', { body });
  await record(api, 'refreshUserToken', 'POST', '/v1/auth/user-token/refresh', { body });
  await record(api, 'issueMobileToken', 'POST', '/v1/auth/mobile-token', {
    body: { ...body, scopes: ['activity', 'sleep'] },
  });
  await record(anyone, 'listSigningKeys', 'GET', '/.well-known/jwks.json', {
    shorten: ({ keys }) => ({ keys: keys.slice(0, 1) }),
  });
  const limited = service.api(issued.token);
  await refuse(limited, 'insufficient_scope', 'GET', '/v1/users');
  await refuse(limited, 'wrong_user', 'GET', `/v1/users/${ABSENT_ID}/daily?${DAYS_2}`);
}

async function recordWebhooks(): Promise<Record<string, unknown>> {
  const create = { url: sink.url('/hook'), events: ['*'], description: 'production' };
  const { body } = await record(api, 'createWebhook', 'POST', '/v1/webhooks', { body: create });
  const webhook = `/v1/webhooks/${body.data.id}`;
  await record(api, 'listWebhooks', 'GET', '/v1/webhooks');
  await record(api, 'updateWebhook', 'PATCH', webhook, { body: { events: ['data.updated', 'score.updated'] } });
  await record(api, 'rotateWebhookSecret', 'POST', `${webhook}/rotate-secret`);
  const test = await record(api, 'testWebhook', 'POST', `${webhook}/test`);
  for (const type of EVENT_TYPES) await api.post(`${webhook}/test?event_type=${type}`);
  const received = await sink.wait('/hook', EVENT_TYPES.length + 1);
  const delivered = async () => {
    const { data } = (await api.get(`${webhook}/deliveries`)).body;
    return data.every(({ status }: JsonBody) => status === 'succeeded') ? data : null;
  };
  await waitUntil('the test deliveries', delivered, 60_000);
  await record(api, 'listDeliveries', 'GET', `${webhook}/deliveries?limit=1`);
  await record(api, 'retryDelivery', 'POST', `${webhook}/deliveries/${test.body.data.id}/retry`);
  await api.patch(webhook, { status: 'disabled' });
  await refuse(api, 'webhook_disabled', 'POST', `${webhook}/test`);
  await record(api, 'deleteWebhook', 'DELETE', webhook);
  const events = received.map((each) => JSON.parse(each.body) as JsonBody);
  return Object.fromEntries(
    EVENT_TYPES.map((type) => [type, recorder.steady(events.find((event) => event.event_type === type))]),
  );
}

/** These happen in every run before the feed is read; of the others the examples are test events. */
const CERTAIN_EVENTS = ['data.updated', 'score.updated', 'device.connected', 'user.deleted'];

async function recordEvents(): Promise<Record<string, unknown>> {
  const read = async () => {
    const { events } = (await api.get('/v1/events?limit=1000')).body as { events: { event_type: string }[] };
    const found = CERTAIN_EVENTS.map((type) => events.find(({ event_type }) => event_type === type));
    return found.every((event) => event !== undefined) ? found : null;
  };
  const events = await waitUntil('the events', read, 60_000);
  await record(api, 'listEvents', 'GET', '/v1/events?limit=2');
  return Object.fromEntries(events.map((event) => [event.event_type, recorder.steady(event)]));
}

async function recordOperations(): Promise<void> {
  await record(anyone, 'readHealth', 'GET', '/healthz');
  await record(anyone, 'readReadiness', 'GET', '/readyz');
  await record(anyone, 'readVersion', 'GET', '/version');
  await record(anyone, 'readOpenApi', 'GET', '/v1/openapi.json', {
    shorten: ({ openapi, info: { title, version } }) => ({ openapi, info: { title, version } }),
  });
  const texts = {
    readMetrics: '/metrics',
    readLlmsText: '/llms.txt',
    readDocs: '/docs',
  };
  for (const [operation, at] of Object.entries(texts)) await record(anyone, operation, 'GET', at, { shorten: lines });
}

async function recordErrors(): Promise<void> {
  await refuse(api, 'invalid_parameter', 'GET', '/v1/users?colour=red');
  await refuse(api, 'invalid_body', 'POST', '/v1/users', { body: { external_ref: '' } });
  await refuse(api, 'invalid_form', 'GET', '/v1/users', { headers: { 'api-form': '3' } });
  await refuse(api, 'mixed_forms', 'GET', `${user}/sleep?start_date=2026-03-28&to_date=2026-03-29`);
  await refuse(api, 'invalid_range', 'GET', `${user}/daily?from_date=2026-03-29&to_date=2026-03-28`);
  await refuse(api, 'range_too_long', 'GET', `${user}/daily?start_date=2026-01-01&end_date=2026-12-31`);
  await refuse(api, 'unknown_provider', 'POST', `${user}/devices`, { body: { provider: 'acme' } });
  await refuse(api, 'connects_through_sdk', 'POST', `${user}/devices`, { body: { provider: 'apple_health' } });
  await refuse(api, 'provider_not_configured', 'POST', `${user}/devices`, { body: { provider: 'oura' } });
  await refuse(api, 'invalid_cursor', 'GET', '/v1/users?cursor=nonsense');
  await refuse(api, 'invalid_idempotency_key', 'POST', `${user}/sdk-sessions`, {
    body: { installation_id: 'phone-2', platform: 'ios' },
    headers: { 'idempotency-key': 'nonsense' },
  });
  await refuse(anyone, 'missing_token', 'GET', '/v1/users');
  await refuse(service.api('nonsense'), 'invalid_token', 'GET', '/v1/users');
  await refuse(api, 'not_found', 'GET', `/v1/users/${ABSENT_ID}`);
  await refuse(api, 'workout_not_found', 'GET', `${user}/workouts/${ABSENT_ID}`);
  await refuse(api, 'user_not_found', 'GET', `/v1/users/${ABSENT_ID}/consolidation`);
  await refuse(api, 'reference_taken', 'POST', '/v1/users', { body: { external_ref: 'golden' } });
  const [device] = (await api.get(`${user}/devices`)).body.data;
  await refuse(api, 'device_not_syncable', 'POST', `${user}/devices/${device.id}/sync`);
  await refuse(api, 'unsupported_media_type', 'POST', '/v1/users', {
    raw: 'a=b',
    headers: { 'content-type': 'text/css' },
  });
  await refuse(api, 'payload_too_large', 'POST', '/v1/users', { raw: `"${'x'.repeat(2_000_000)}"` });
  await refuse(api, 'invalid_metric', 'PATCH', `${user}/consolidation`, {
    body: { metrics: { colour: { method: 'max' } } },
  });
  await refuse(api, 'invalid_method', 'PATCH', `${user}/consolidation`, {
    body: { metrics: { weight: { method: 'sum' } } },
  });
  await refuse(api, 'invalid_provider', 'PATCH', `${user}/consolidation`, { body: { providers: { oura: false } } });
  await refuse(api, 'invalid_types', 'GET', `${user}/daily?types=colour`);
}

/** Errors that a client cannot cause at will, as the service writes them. */
function writeOtherErrors(): void {
  for (const code of publicRoutes.flatMap(listErrorCodes)) {
    const wire = wireCodeOf(code);
    recorder.errors[wire] ??= JSON.parse(formatError(wire, new AppError(code).message));
  }
}

function keep(name: string, recorded: unknown): void {
  const file = path.join(FOLDER, `${name}.json`);
  if (process.env.UPDATE_GOLDEN === '1') writeFileSync(file, `${JSON.stringify(recorded, null, 2)}\n`);
  assert.deepEqual(
    shapeOf(recorded),
    shapeOf(JSON.parse(readFileSync(file, 'utf8'))),
    `${file}: UPDATE_GOLDEN=1 npm test -- server/test/golden`,
  );
}

it('the recorded examples have the shape of what the service returns', async () => {
  await recordReads();
  await recordUsers();
  await recordDevices();
  await recordConsolidation();
  await recordSdk();
  await recordRoster();
  await recordTokens();
  const tests = await recordWebhooks();
  await recordErrors();
  await recordOperations();
  const webhooks = { ...tests, ...(await recordEvents()) };
  await record(api, 'exportUser', 'GET', exportIn('csv'), { mediaType: 'text/csv; charset=utf-8' });
  await record(api, 'exportUser', 'GET', exportIn('fhir'), { mediaType: 'application/fhir+ndjson' });
  writeOtherErrors();
  keep('calls', recorder.calls);
  keep('errors', Object.fromEntries(Object.entries(recorder.errors).sort(([a], [b]) => (a < b ? -1 : 1))));
  keep('webhooks', webhooks);
});
