// The end of sharing takes effect everywhere at once and deletes nothing; a return restores access to all data.

import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { DAY_MS } from '../../src/domain/time/durations.ts';
import { runCli } from '../support/run-cli.ts';
import { scoreNow } from '../support/scored-days.ts';
import type { JsonBody } from '../support/test-api.ts';
import { submitForm } from '../support/test-pages.ts';
import { startPhone } from '../support/test-phone.ts';
import { createRosterSide, INVITATIONS, newAddress, ROSTER } from '../support/test-roster.ts';
import { startTestService } from '../support/test-service.ts';
import { createAccount, createUser, newReference } from '../support/test-users.ts';
import { waitUntil } from '../support/wait-until.ts';
import { startSink } from '../support/webhook-sink.ts';

const printed: string[] = [];
const service = await startTestService({
  printedLines: printed,
  environment: { TRIBUTARY_ALLOW_PRIVATE_WEBHOOKS: '1' },
});
const sink = await startSink();
after(async () => {
  await service.stop();
  await sink.close();
});
const account = await createAccount(service);
const api = service.api(account.live);
const roster = createRosterSide(api, printed);

const DAY = new Date(Date.now() - DAY_MS).toISOString().slice(0, 10);
const RANGE = `start_date=${DAY}&end_date=${DAY}`;
const STEPS = { samples: [{ metric: 'steps', start: `${DAY}T08:00:00Z`, end: `${DAY}T08:10:00Z`, value: 900 }] };

const READS = ['', '/devices', `/daily?${RANGE}`, `/sleep?${RANGE}`, `/workouts?${RANGE}`, '/scores', '/consolidation'];

async function readStatuses(userId: string): Promise<number[]> {
  return Promise.all(READS.map(async (path) => (await api.get(`/v1/users/${userId}${path}`)).status));
}
async function listUserIds(): Promise<string[]> {
  return (await api.get('/v1/users?limit=100')).body.data.map(({ id }: JsonBody) => id);
}
async function countEvents(userId: string): Promise<number> {
  return (await api.get(`/v1/events?user_id=${userId}`)).body.events.length;
}
async function readSteps(userId: string): Promise<number[]> {
  const { data } = (await api.get(`/v1/users/${userId}/daily?${RANGE}&metrics=steps`)).body;
  return data.map(({ value }: JsonBody) => value);
}
const all = (status: number) => READS.map(() => status);

describe('a member who is removed', () => {
  it('disappears from reads, lists, events, webhooks and tokens at once, and returns with the data', async () => {
    const email = newAddress();
    const external_ref = newReference();
    const { id, user_id } = await roster.join(email, { external_ref });
    const phone = await startPhone(service, user_id, { key: account.live });
    sink.answer('/hook', 500); // a delivery waits for its retry
    const hook = await api.post('/v1/webhooks', { url: sink.url('/hook'), events: ['data.updated'] });
    assert.equal(hook.status, 201, hook.text);
    const deliveries = `/v1/webhooks/${hook.body.data.id}/deliveries`;
    await phone.upload(STEPS);
    await sink.wait('/hook', 1);
    const token = (await api.post('/v1/auth/user-token', { user_id })).body.token;
    const mobile = (await api.post('/v1/auth/mobile-token', { user_id })).body.token;
    await waitUntil('events', async () => (await countEvents(user_id)) > 0);
    const reader = service.api(token);
    assert.equal((await reader.get(`/v1/users/${user_id}/scores`)).status, 200);

    assert.equal((await api.delete(`${ROSTER}/${id}`)).status, 204);

    assert.deepEqual(await readStatuses(user_id), all(404));
    assert.ok(!(await listUserIds()).includes(user_id));
    assert.equal(await countEvents(user_id), 0);
    assert.equal((await api.post('/v1/auth/user-token', { user_id })).status, 404);
    assert.equal((await reader.get(`/v1/users/${user_id}/scores`)).status, 401);
    assert.equal((await phone.send({})).status, 401);
    assert.equal((await service.api(null).post('/v1/sdk/sessions/exchange', { client_token: mobile })).status, 401);
    assert.equal((await api.patch(`/v1/users/${user_id}`, { timezone: 'Asia/Tokyo' })).status, 404);
    assert.equal((await api.delete(`/v1/users/${user_id}`)).status, 404);
    assert.equal((await api.get(`/v1/users?external_ref=${external_ref}`)).body.data.length, 0);
    assert.deepEqual((await api.get(deliveries)).body.data, []);

    const back = await roster.join(email.toUpperCase());
    assert.equal(back.user_id, user_id);
    assert.equal(back.external_ref, external_ref);
    assert.deepEqual(await readStatuses(user_id), all(200));
    assert.deepEqual(await readSteps(user_id), [900]);
    assert.ok((await listUserIds()).includes(user_id));
    for (const status of [(await phone.send({})).status, (await reader.get(`/v1/users/${user_id}/scores`)).status])
      assert.equal(status, 401, 'earlier tokens stay invalid');
    const fresh = service.api((await api.post('/v1/auth/user-token', { user_id })).body.token);
    assert.equal((await fresh.get(`/v1/users/${user_id}/scores`)).status, 200);
  });

  it('has an event after its return, so that feeds and exports catch up on the events that were removed', async () => {
    const email = newAddress();
    const { id, user_id } = await roster.join(email);
    const phone = await startPhone(service, user_id, { key: account.live });
    await phone.upload(STEPS);
    const to = mkdtempSync(join(tmpdir(), 'tributary-return-'));
    after(() => rmSync(to, { recursive: true }));
    const environment = { TRIBUTARY_URL: service.url, TRIBUTARY_API_KEY: account.live };
    const writeExport = async () => {
      const outcome = await runCli(service, ['export', '--format', 'ndjson', '--to', to], environment);
      assert.equal(outcome.code, 0, outcome.stderr);
      return readFileSync(join(to, `${user_id}.ndjson`), 'utf8');
    };
    assert.doesNotMatch(await writeExport(), /"weight"/);
    await phone.upload({ samples: [{ metric: 'weight', start: `${DAY}T07:00:00Z`, value: 71 }] });
    await scoreNow(service, user_id);
    assert.equal((await api.delete(`${ROSTER}/${id}`)).status, 204);
    await roster.join(email);
    await scoreNow(service, user_id);
    const event = await waitUntil('the event is published', async () => {
      const { events } = (await api.get(`/v1/events?user_id=${user_id}`)).body;
      return events.find(({ event_type }: JsonBody) => event_type === 'subject.synced');
    });
    assert.deepEqual([event.from_date, event.to_date], [DAY, DAY]);
    assert.ok(event.metrics.includes('steps') && event.metrics.includes('weight'));
    const { data } = (await api.get(`/v1/users/${user_id}/daily?${RANGE}&metrics=${event.metrics.join()}`)).body;
    assert.deepEqual(
      event.metrics.filter((wanted: string) => !data.some(({ metric }: JsonBody) => metric === wanted)),
      [],
    );
    assert.match(await writeExport(), /"weight"/);
  });

  it('receives no further deliveries, not even those that were about to start', async () => {
    const { id, user_id } = await roster.join(newAddress());
    const other = await roster.join(newAddress());
    const [phone, otherPhone] = [
      await startPhone(service, user_id, { key: account.live }),
      await startPhone(service, other.user_id, { key: account.live }),
    ];
    let isOpen = false;
    sink.answer('/gate', (response) => void waitUntil('the gate', () => isOpen).then(() => response.end()));
    const hook = await api.post('/v1/webhooks', { url: sink.url('/gate'), events: ['data.updated'] });
    for (let value = 901; value <= 906; value += 1) await phone.upload({ samples: [{ ...STEPS.samples[0], value }] });
    const claimed = `select 1 from webhook_deliveries where webhook_id = $1 and claim is not null`;
    const { db } = service.running.services;
    await waitUntil('claims', async () => (await db.query(claimed, [hook.body.data.id])).length > 2);
    assert.equal((await api.delete(`${ROSTER}/${id}`)).status, 204);
    const countReported = (userId: string) => sink.at('/gate').filter(({ body }) => body.includes(userId)).length;
    const before = countReported(user_id);
    isOpen = true;
    await otherPhone.upload(STEPS);
    await waitUntil('an event of another user', () => countReported(other.user_id) > 0);
    assert.equal(countReported(user_id), before);
  });

  it('keeps its reference meanwhile, which no other user can take', async () => {
    const email = newAddress();
    const external_ref = newReference();
    const { id, user_id } = await roster.join(email, { external_ref });
    await api.delete(`${ROSTER}/${id}`);
    const taken = await api.post('/v1/users', { external_ref });
    assert.deepEqual([taken.status, taken.body.error, taken.body.details], [409, 'reference_taken', {}]);
    const renamed = newReference();
    assert.equal((await roster.join(email, { external_ref: renamed })).user_id, user_id);
    assert.equal((await api.get(`/v1/users/${user_id}`, { headers: { 'api-form': '2' } })).body.external_ref, renamed);
  });

  it('does not count toward the limit, and cannot return while the limit is reached', async () => {
    const small = await createAccount(service);
    const mine = service.api(small.live);
    const side = createRosterSide(mine, printed);
    const totalOf = async () => (await mine.get('/v1/users?page=1')).body.meta.total;
    const email = newAddress();
    const { id } = await side.join(email);
    assert.equal(await totalOf(), 1);
    await mine.delete(`${ROSTER}/${id}`);
    assert.equal(await totalOf(), 0);
    const limit = { environment: 'live', limit: 1 };
    assert.equal((await service.operator().put(`/admin/accounts/${small.name}/user-limit`, limit)).status, 200);
    const other = await createUser(mine);
    const invitation = await side.invite(email);
    const refused = await submitForm(invitation.link, { decision: 'allow' });
    assert.equal(refused.status, 409);
    assert.equal((await mine.get(`${INVITATIONS}/${invitation.id}`)).body.status, 'pending', 'stays open');
    await mine.delete(`/v1/users/${other.id}`);
    assert.equal((await submitForm(invitation.link, { decision: 'allow' })).status, 303);
    assert.equal(await totalOf(), 1);
  });
});

describe('an organization that is past due', () => {
  it('cannot add members; the invitation stays open, and can be declined', async () => {
    const poor = await createAccount(service);
    const mine = service.api(poor.live);
    const side = createRosterSide(mine, printed);
    const [waiting, declined] = [await side.invite(newAddress()), await side.invite(newAddress())];
    const setBilling = async (billing_status: string) =>
      assert.equal((await service.operator().patch(`/admin/accounts/${poor.id}`, { billing_status })).status, 200);
    for (const status of ['past_due', 'suspended']) {
      await setBilling(status);
      assert.equal((await submitForm(waiting.link, { decision: 'allow' })).status, 409);
    }
    assert.equal((await submitForm(declined.link, { decision: 'deny' })).status, 200);
    await setBilling('active');
    assert.equal((await mine.get(`${INVITATIONS}/${waiting.id}`)).body.status, 'pending');
    assert.equal((await submitForm(waiting.link, { decision: 'allow' })).status, 303);
  });
});

describe('an existing user', () => {
  it('is joined by the invitation that names it', async () => {
    const user = await createUser(api);
    const member = await roster.join(newAddress(), { external_ref: user.external_ref });
    assert.equal(member.user_id, user.id);
  });

  it('is joined by one person only, even if others were invited', async () => {
    const user = await createUser(api);
    const first = await roster.invite(newAddress(), { external_ref: user.external_ref });
    const second = await roster.invite(newAddress(), { external_ref: user.external_ref });
    assert.equal((await submitForm(first.link, { decision: 'allow' })).status, 303);
    assert.equal((await submitForm(second.link, { decision: 'allow' })).status, 409);
    assert.equal((await api.get(`${INVITATIONS}/${second.id}`)).body.status, 'pending');
  });
});

describe('an archived member', () => {
  it('continues to sync', async () => {
    const { id, user_id } = await roster.join(newAddress());
    const phone = await startPhone(service, user_id, { key: account.live });
    await api.patch(`${ROSTER}/${id}`, { status: 'archived' });
    await phone.upload(STEPS);
    assert.deepEqual(await readSteps(user_id), [900]);
    assert.deepEqual(await readStatuses(user_id), all(200));
  });
});
