// Searches every column of every table for traces after an erasure and after the deletion of a device.

import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, describe, it } from 'node:test';
import { JOBS } from '../../src/background-work.ts';
import { DAY_MS } from '../../src/domain/time/durations.ts';
import { deauthorizeJob, tidyConnectionsJob } from '../../src/features/clouds/connections/index.ts';
import { tidyFeedJob } from '../../src/features/notify/events/index.ts';
import { tidyDeliveriesJob } from '../../src/features/notify/webhooks/index.ts';
import { sendRosterMailJob } from '../../src/features/people/roster/index.ts';
import { removeTracesJob } from '../../src/features/people/users/index.ts';
import { rebuildUserJob } from '../../src/features/pipeline/ingest/index.ts';
import { beginConnecting, walk } from '../support/connect-account.ts';
import { searchDatabase, type Wanted } from '../support/search-database.ts';
import { startStubbedService } from '../support/stub-provider.ts';
import { createMovableClock } from '../support/test-clock.ts';
import { submitForm } from '../support/test-pages.ts';
import { startPhone } from '../support/test-phone.ts';
import { createRosterSide, ROSTER } from '../support/test-roster.ts';
import { createAccount, createSandboxUser } from '../support/test-users.ts';
import { waitUntil } from '../support/wait-until.ts';
import { startSink } from '../support/webhook-sink.ts';

const clock = createMovableClock();
const printed: string[] = [];
const logLines: string[] = [];
const { service, stub } = await startStubbedService({ after }, { clock, printedLines: printed, logLines });
const sink = await startSink();
after(() => sink.close());
const { services } = service.running;
const { db, jobs } = services;
const sandbox = service.api(service.keys.sandbox);
const DAY = new Date(Date.now() - 2 * DAY_MS).toISOString().slice(0, 10);

/** Only the id in user.deleted may remain, as long as the feed and the delivery log are kept. */
const NEWS_OF_DELETION = [
  'public.feed_events.body: user id',
  'public.feed_events.user_id: user id',
  'public.webhook_deliveries.user_id: user id',
];

/** Also waits until no job of the user runs: the erasure job itself still runs when it commits. */
const isErased = async (id: string) => {
  const rows = await db.query(
    `select 1 from users where id = $1::uuid union all
     select 1 from graphile_worker._private_jobs where locked_at is not null and payload->>'user_id' = $1::text`,
    [id],
  );
  return rows.length === 0;
};

async function uploadEverything(
  userId: string,
  key: string,
  marks: { device: string; workout: string; sleep: string },
) {
  const phone = await startPhone(service, userId, { key, installationId: `installation of ${marks.device}` });
  const source = { provider: 'apple_health', name: marks.device, model: `model of ${marks.device}` };
  const trace = [0, 1, 2].map((minute) => ({ timestamp: `${DAY}T08:0${minute}:00Z`, bpm: 141 + minute }));
  const answer = await phone.send({
    upload_id: randomUUID(),
    source,
    samples: [{ metric: 'heart_rate', start: `${DAY}T10:00:00Z`, value: 61 }],
    daily: [{ metric: 'weight', date: DAY, value: 71.3 }],
    sleep: [{ id: marks.sleep, start: `${DAY}T00:00:00Z`, end: `${DAY}T06:00:00Z`, asleep_minutes: 300 }],
    workouts: [
      {
        id: marks.workout,
        name: `${marks.workout} name`,
        sport_type: 'running',
        start: `${DAY}T08:00:00Z`,
        end: `${DAY}T08:30:00Z`,
        heart_rate: { samples: trace },
        route: trace.map(({ timestamp }) => ({ timestamp, latitude: 52.5, longitude: 13.4 })),
      },
    ],
  });
  assert.deepEqual([answer.status, answer.body.rejected], [200, []], answer.text);
  return phone;
}

/** Checks that every value is in the database first, so that a later search without results is meaningful. */
async function assertAllPresent(wanted: Wanted): Promise<void> {
  const found = await searchDatabase(db, wanted);
  const missing = Object.keys(wanted).filter((name) => !found.some((line) => line.endsWith(`: ${name}`)));
  assert.deepEqual(missing, [], 'inserted but not found');
}

async function deviceIdsOf(userId: string): Promise<string[]> {
  const rows = await db.query<{ id: string }>('select id from devices where user_id = $1', [userId]);
  return rows.map(({ id }) => id);
}

/** A job of this user that has failed permanently. */
async function plantGivenUpJob(userId: string): Promise<void> {
  const payload = { user_id: userId, account_id: randomUUID(), environment: 'live' };
  await db.transaction((tx) => jobs.enqueue(tx, rebuildUserJob, payload, { delayMs: DAY_MS }));
  await db.query(
    `update graphile_worker._private_jobs set attempts = max_attempts, last_error = $2 where payload->>'user_id' = $1`,
    [userId, `failed for ${userId}`],
  );
}

const revocations = () =>
  db.query<{ id: string }>(`select id from graphile_worker.jobs where task_identifier = 'deauthorize_account'`);

describe('an erasure', () => {
  it('leaves no trace of the user while the provider is down, nor after the last attempt to revoke', async () => {
    const user = await createSandboxUser(service);
    const mark = `Anna-${randomUUID()}`;
    const hook = await sandbox.post('/v1/webhooks', { url: sink.url('/news'), events: ['*'] });
    assert.equal(hook.status, 201);
    await sandbox.patch(`/v1/users/${user.id}`, {
      reference_id: `${mark} reference`,
      metadata: { note: `${mark} metadata` },
      profile: { max_heart_rate: 187.123 },
    });
    stub.account = `${Date.now()}`;
    const accountId = stub.account;
    const begun = await beginConnecting(sandbox, user.id, 'oura', { redirect_url: 'https://example.org/back' });
    await walk(begun.auth_url);
    await walk((await beginConnecting(sandbox, user.id, 'google_health')).auth_url);
    const countedFor = () =>
      db.query(`select 1 from provider_budgets where provider = 'google_health' and person <> ''`);
    await waitUntil('a request budget of the user', async () => (await countedFor()).length > 0);
    await beginConnecting(sandbox, user.id, 'whoop', { redirect_url: `https://example.org/${mark}-attempt` });
    await uploadEverything(user.id, service.keys.sandbox, {
      device: `${mark} watch`,
      workout: `${mark} workout`,
      sleep: `${mark} sleep`,
    });
    await sandbox.post('/v1/auth/mobile-token', { user_id: user.id });
    await plantGivenUpJob(user.id);
    // A backup of a Citus cluster can be restored anywhere.
    await db.query('insert into data_locks (user_id) values ($1) on conflict do nothing', [user.id]);
    const [device = '', second = ''] = await deviceIdsOf(user.id);
    const wanted = {
      'user id': user.id,
      'device id': device,
      'second device id': second,
      reference: `${mark} reference`,
      metadata: `${mark} metadata`,
      profile: '187.123',
      attempt: `${mark}-attempt`,
      'device name': `${mark} watch`,
      workout: `${mark} workout name`,
      sleep: `${mark} sleep`,
      'provider account': accountId,
    };
    await assertAllPresent(wanted);
    await services.requestLog.flush();
    assert.ok((await searchDatabase(db, wanted)).includes('public.request_blocks.users: user id'));

    stub.answer('/oura/oauth/revoke', () => ({ status: 503 }));
    assert.equal((await sandbox.delete(`/v1/users/${user.id}`)).status, 202);
    await waitUntil('erasure', () => isErased(user.id));
    await waitUntil('a failed revocation', () => stub.at('/oura/oauth/revoke').length > 0);
    await waitUntil('the event', () => sink.at('/news').some(({ body }) => body.includes('user.deleted')));
    // The other provider is done; this one is called again.
    await waitUntil('one remaining revocation', async () => (await revocations()).length === 1);
    assert.deepEqual(await searchDatabase(db, wanted), NEWS_OF_DELETION);

    await db.query(
      `update graphile_worker._private_jobs j set attempts = max_attempts - 1, run_at = now() where id = $1`,
      [(await revocations())[0]?.id],
    );
    const removed = 'job failed on its last attempt and was deleted with its payload';
    const line = await waitUntil('the last attempt', () => logLines.find((one) => one.includes(removed)), 20_000);
    await waitUntil('the job is gone', async () => (await revocations()).length === 0);
    for (const [name, text] of Object.entries(wanted)) assert.ok(!line.includes(text), `the log line has the ${name}`);
    const metrics = await (await fetch(`${service.url}/metrics`)).text();
    assert.match(metrics, /tributary_jobs_total\{job="deauthorize_account",outcome="given_up"\} 1/);
    stub.answer('/oura/oauth/revoke', null);
    assert.deepEqual(await searchDatabase(db, wanted), NEWS_OF_DELETION);

    clock.advance(91 * DAY_MS);
    await tidyFeedJob.run(services, {});
    await tidyDeliveriesJob.run(services, {});
    assert.deepEqual(await searchDatabase(db, wanted), [], 'the event of the deletion is deleted after its retention');
    clock.advance(-91 * DAY_MS); // the keys of the other tests are still valid
  });

  it('by the person leaves no name, address, invitation or mail', async () => {
    const [acme, other] = [await createAccount(service), await createAccount(service)];
    const api = service.api(acme.live);
    const roster = createRosterSide(api, printed);
    const mark = `Berta-${randomUUID()}`;
    const email = `${mark.toLowerCase()}@example.org`;
    const fields = { name: `${mark} name`, message: `${mark} message`, external_ref: `${mark} reference` };
    const member = await roster.join(email, fields);
    await uploadEverything(member.user_id, acme.live, {
      device: `${mark} watch`,
      workout: `${mark} workout`,
      sleep: `${mark} sleep`,
    });
    await api.delete(`${ROSTER}/${member.id}`);
    const again = await roster.invite(email, { message: `${mark} second message` }); // still pending when the person decides
    await db.transaction((tx) => jobs.enqueue(tx, sendRosterMailJob, { news: 'joined', id: member.id }));
    const [person] = await db.query<{ id: string }>('select id from roster_people where address = $1', [email]);
    assert.ok(person);
    const waiting = [
      { news: 'invited', id: again.id },
      { news: 'portal_link', id: person.id },
    ] as const;
    for (const payload of waiting)
      await db.transaction((tx) => jobs.enqueue(tx, sendRosterMailJob, payload, { delayMs: DAY_MS }));
    const wanted = {
      'user id': member.user_id,
      'member id': member.id,
      'invitation id': again.id,
      'person id': person.id,
      address: email,
      name: fields.name,
      message: fields.message,
      'second message': `${mark} second message`,
      reference: fields.external_ref,
      'device name': `${mark} watch`,
    };
    await assertAllPresent(wanted);
    await submitForm(member.portalLink, { member: member.id, decision: 'erase_for_good' });
    await waitUntil('erasure', () => isErased(member.user_id));
    await waitUntil(
      'acts of the account to be chained',
      async () => (await db.query('select 1 from audit_inbox')).length === 0,
    );
    assert.deepEqual(await searchDatabase(db, wanted), []);
    assert.notEqual((await createRosterSide(service.api(other.live), printed).join(email)).user_id, member.user_id);
  });

  it('keeps the mail to a person who shares with another organization', async () => {
    const [acme, other] = [await createAccount(service), await createAccount(service)];
    const email = `${randomUUID()}@example.org`;
    const member = await createRosterSide(service.api(acme.live), printed).join(email);
    await createRosterSide(service.api(other.live), printed).join(email);
    const [person] = await db.query<{ id: string }>('select id from roster_people where address = $1', [email]);
    assert.ok(person);
    await db.transaction((tx) =>
      jobs.enqueue(tx, sendRosterMailJob, { news: 'portal_link', id: person.id }, { delayMs: DAY_MS }),
    );
    await submitForm(member.portalLink, { member: member.id, decision: 'erase_for_good' });
    await waitUntil('erasure', () => isErased(member.user_id));
    const kept = await db.query(
      `select 1 from graphile_worker._private_jobs where payload->>'id' = $1 and payload->>'news' = 'portal_link'`,
      [person.id],
    );
    assert.equal(kept.length, 1);
  });

  it('has an audit line without personal data; lines of earlier versions lose the id', async () => {
    const { id } = await createSandboxUser(service);
    await sandbox.delete(`/v1/users/${id}`);
    await waitUntil('erasure', () => isErased(id));
    const hash = `sha256:${services.derivedSecrets.of(`erased user ${id}`)}`;
    const lines = await db.query('select 1 from audit_log where subject = $1', [hash]);
    assert.equal(lines.length, 1);
    await db.query('update audit_log set subject = $2 where subject = $1', [hash, id]);
    await removeTracesJob.run(services, {});
    assert.equal((await db.query('select 1 from audit_log where subject = $1', [hash])).length, 1);
  });
});

describe('the payload of a job', () => {
  it('has ids at the top level, where an erasure finds them, or is sealed', () => {
    const ids = ['user_id', 'account_id', 'webhook_id', 'id'];
    const words = ['environment', 'scope', 'news', 'provider', 'app_id', 'sealed', 'change', 'at'];
    const fields = JOBS.flatMap(({ name, payload }) => Object.keys(payload.properties).map((field) => [name, field]));
    assert.ok(fields.length > 10);
    const others = fields.filter(([, field = '']) => ![...ids, ...words].includes(field));
    assert.deepEqual(others, [], 'make the erasure remove the value of the new field, then add it here');
  });
});

describe('a job that ran out of attempts', () => {
  it('is kept for a week and then removed, whatever its type', async () => {
    const user = randomUUID();
    await plantGivenUpJob(user);
    const age = (days: number) =>
      db.query(
        `update graphile_worker._private_jobs set updated_at = now() - $2::int * interval '1 day' where payload->>'user_id' = $1`,
        [user, days],
      );
    await age(6);
    await removeTracesJob.run(services, {});
    assert.equal((await searchDatabase(db, { user })).length, 2, 'payload and error');
    await age(8);
    await removeTracesJob.run(services, {});
    assert.deepEqual(await searchDatabase(db, { user }), []);
  });
});

describe('deleting a device', () => {
  const start = async () => {
    const user = await createSandboxUser(service);
    const mark = `Clara-${randomUUID()}`;
    const names = { device: `${mark} watch`, workout: `${mark} workout`, sleep: `${mark} sleep` };
    const phone = await uploadEverything(user.id, service.keys.sandbox, names);
    const [device = ''] = await deviceIdsOf(user.id);
    const wanted = { 'device name': names.device, workout: names.workout, sleep: names.sleep };
    await assertAllPresent(wanted);
    return { user, phone, device, wanted, names };
  };
  const sourceOf = (name: string) => ({ provider: 'apple_health', name, model: `model of ${name}` });
  const SAMPLE = [{ metric: 'heart_rate', start: `${DAY}T10:00:00Z`, value: 61 }];
  /** The installation is named after the device, and the session outlives it. */
  const SESSION = 'public.sdk_sessions.installation_id: device name';

  it('leaves nothing that describes it, and blocks the source for earlier sessions', async () => {
    const { user, phone, device, wanted, names } = await start();
    assert.equal((await sandbox.delete(`/v1/users/${user.id}/devices/${device}`)).status, 204);
    assert.deepEqual(await searchDatabase(db, wanted), [SESSION]);
    const upload = { upload_id: randomUUID(), source: sourceOf(names.device), samples: SAMPLE };
    const barred = await phone.send(upload);
    assert.deepEqual([barred.body.accepted, barred.body.rejected[0].error], [0, 'device_disconnected']);
    assert.deepEqual(await searchDatabase(db, wanted), [SESSION], 'a blocked upload does not either');
  });

  it('removes the block when every earlier session has ended', async () => {
    const { user, phone, device } = await start();
    await sandbox.delete(`/v1/users/${user.id}/devices/${device}`);
    await tidyConnectionsJob.run(services, {});
    assert.deepEqual(await deviceIdsOf(user.id), [device], 'the session can still upload');
    await sandbox.delete(`/v1/users/${user.id}/sdk-sessions/${phone.sessionId}`);
    await tidyConnectionsJob.run(services, {});
    assert.deepEqual(await deviceIdsOf(user.id), []);
  });

  it('hides the data that an earlier version kept about it, which blocks permanently', async () => {
    const { user, phone, device, wanted, names } = await start();
    await sandbox.delete(`/v1/users/${user.id}/devices/${device}`);
    const identity = JSON.stringify(['apple_health', 'model', `model of ${names.device}`, names.device]);
    await db.query('update devices set identity = $2, barred_identity = null where id = $1', [device, identity]);
    const send = () => phone.send({ upload_id: randomUUID(), source: sourceOf(names.device), samples: SAMPLE });
    assert.equal((await send()).body.rejected[0].error, 'device_disconnected');
    await tidyConnectionsJob.run(services, {});
    assert.deepEqual(await searchDatabase(db, wanted), [SESSION]);
    assert.equal((await send()).body.rejected[0].error, 'device_disconnected');
  });

  it('of a cloud leaves no token and no account, even while the provider is down', async () => {
    const user = await createSandboxUser(service);
    stub.account = `77${Date.now()}`;
    const account = stub.account;
    const begun = await beginConnecting(sandbox, user.id, 'oura');
    await walk(begun.auth_url);
    await assertAllPresent({ account });
    stub.answer('/oura/oauth/revoke', () => ({ status: 503 }));
    assert.equal((await sandbox.delete(`/v1/users/${user.id}/devices/${begun.id}`)).status, 204);
    await waitUntil('a failed revocation', () =>
      stub.at('/oura/oauth/revoke').at(-1)?.query.get('access_token')?.includes(account),
    );
    assert.deepEqual(await searchDatabase(db, { account }), []);
    stub.answer('/oura/oauth/revoke', null);
  });

  it('of a cloud is also revoked at the provider by a job of an earlier version, which is sealed first', async () => {
    const user = await createSandboxUser(service);
    stub.account = `78${Date.now()}`;
    const account = stub.account;
    const begun = await beginConnecting(sandbox, user.id, 'oura');
    await walk(begun.auth_url);
    const [row] = await db.query<Record<string, string> & { sealed_tokens: Buffer }>(
      'select user_id, account_id, device_id, provider, app_id, provider_user_id, sealed_tokens from provider_accounts where user_id = $1',
      [user.id],
    );
    const former = { ...row, sealed_tokens: row?.sealed_tokens.toString('base64'), is_refreshed: false };
    await db.query('delete from provider_accounts where user_id = $1', [user.id]);
    const revoked = () =>
      stub.at('/oura/oauth/revoke').filter(({ query }) => query.get('access_token')?.includes(account)).length;
    stub.answer('/oura/oauth/revoke', () => ({ status: 503 }));
    await db.query(
      `select graphile_worker.add_job('deauthorize_account', $1::json, max_attempts => ${deauthorizeJob.maxAttempts})`,
      [JSON.stringify(former)],
    );
    await waitUntil('a call to the provider', () => revoked() === 1);
    const isSealed = async () => {
      const payloads = await db.query<{ payload: object }>(
        `select payload from graphile_worker._private_jobs where payload->>'provider' is not null`,
      );
      return payloads.map(({ payload }) => Object.keys(payload).sort().join() === 'app_id,id,provider,sealed');
    };
    assert.ok((await isSealed()).includes(true), 'sealed before the provider is called');
    await waitUntil('the earlier job is gone', async () => !(await isSealed()).includes(false));
    stub.answer('/oura/oauth/revoke', null);
  });
});
