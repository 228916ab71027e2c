// The connections and the log of a user, as members see them.
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, describe, it } from 'node:test';
import type { JsonBody } from '../support/test-api.ts';
import { createMember, memberApi } from '../support/test-members.ts';
import { startPhone } from '../support/test-phone.ts';
import { startTestService } from '../support/test-service.ts';
import { ABSENT_ID, createUser } from '../support/test-users.ts';
import { waitUntil } from '../support/wait-until.ts';

const service = await startTestService();
after(() => service.stop());
const developer = memberApi(service, (await createMember(service, 'default', 'developer')).cookie);
const viewer = memberApi(service, (await createMember(service, 'default', 'viewer')).cookie);
const api = service.api();

const WATCH = { provider: 'health_connect', id: 'watch', device_class: 'wrist', name: 'Field watch' };
const steps = (value: number) => ({
  metric: 'steps',
  start: '2026-03-09T08:00:00Z',
  end: '2026-03-09T08:15:00Z',
  value,
});

async function createUploaded(uploads: number): Promise<string> {
  const user = await createUser(api);
  const phone = await startPhone(service, user.id, { platform: 'android' });
  for (let count = 0; count < uploads; count += 1) {
    const samples = [steps(count + 1), { ...steps(1), start: 'never' }];
    await phone.send({ upload_id: randomUUID(), source: WATCH, samples });
  }
  await waitUntil('published events', async () => {
    const { body } = await viewer.get(`/dashboard/api/live/users/${user.id}/log?kinds=events`);
    return body.data.length > uploads;
  });
  return user.id;
}

describe('GET /dashboard/api/{environment}/users/{id}/log', () => {
  it('200 merges uploads with their rejected items, events and changes, newest first', async () => {
    const id = await createUploaded(1);
    await developer.patch(`/dashboard/api/live/v1/users/${id}/consolidation`, {
      metrics: { steps: { method: 'max' } },
    });
    const { status, body } = await viewer.get(`/dashboard/api/live/users/${id}/log`);
    assert.equal(status, 200);
    const times = body.data.map(({ at }: { at: string }) => at);
    assert.deepEqual(times, times.toSorted().reverse());
    const upload = body.data.find(({ kind }: { kind: string }) => kind === 'uploads').upload;
    assert.deepEqual([upload.accepted, upload.rejected_count], [1, 1]);
    assert.equal(upload.rejected[0].path, 'samples[1].start');
    const { change } = body.data.find(({ kind }: { kind: string }) => kind === 'changes');
    assert.deepEqual(
      [change.action, change.via, change.actor_name],
      ['consolidation.changed', 'dashboard', 'Test developer'],
    );
    assert.deepEqual(change.details.after.metrics.steps.method, 'max');
    assert.equal(body.devices[0].name, 'Field watch');
  });

  it('200 separates what members changed from what they looked at', async () => {
    const id = await createUploaded(1);
    await developer.patch(`/dashboard/api/live/v1/users/${id}/consolidation`, {
      metrics: { steps: { method: 'max' } },
    });
    const actionsOf = async (kind: string) => {
      const { body } = await viewer.get(`/dashboard/api/live/users/${id}/log?kinds=${kind}`);
      return body.data.map(({ kind: given, change }: JsonBody) => [given, change.action]);
    };
    assert.deepEqual(await actionsOf('changes'), [['changes', 'consolidation.changed']]);
    assert.deepEqual(await actionsOf('looks'), [['looks', 'user.viewed']]);
  });

  it('200 contains a member who has read only a few days', async () => {
    const id = await createUploaded(1);
    const days = 'metrics=steps&start_date=2026-03-09&end_date=2026-03-10';
    const read = await developer.get(`/dashboard/api/live/v1/users/${id}/daily?${days}`, {
      headers: { 'api-form': '1' },
    });
    assert.equal(read.status, 200, read.text);
    const { body } = await viewer.get(`/dashboard/api/live/users/${id}/log?kinds=looks`);
    const names = body.data.map(({ change }: JsonBody) => change.actor_name);
    assert.deepEqual(names.toSorted(), ['Test developer', 'Test viewer']);
  });

  it('200 pages through every entry once', async () => {
    const id = await createUploaded(4);
    const path = `/dashboard/api/live/users/${id}/log?kinds=uploads,events`;
    const whole = (await viewer.get(`${path}&limit=200`)).body.data.map((entry: { id: string }) => entry.id);
    const paged: string[] = [];
    let cursor: string | null = '';
    while (cursor !== null) {
      const { body } = await viewer.get(`${path}&limit=2${cursor && `&cursor=${cursor}`}`);
      paged.push(...body.data.map((entry: { id: string }) => entry.id));
      cursor = body.next_cursor;
    }
    assert.ok(whole.length > 7);
    assert.deepEqual(paged, whole);
  });

  it('200 as CSV', async () => {
    const id = await createUploaded(1);
    const { status, text } = await viewer.get(`/dashboard/api/live/users/${id}/log?kinds=uploads`, {
      headers: { accept: 'text/csv' },
    });
    assert.equal(status, 200);
    assert.match(text, /^at,kind,id,device_id,details\r?\n/);
  });

  it('400 for an unknown kind, 404 for an unknown user', async () => {
    const id = await createUploaded(1);
    assert.equal((await viewer.get(`/dashboard/api/live/users/${id}/log?kinds=gossip`)).status, 400);
    assert.equal((await viewer.get(`/dashboard/api/live/users/${ABSENT_ID}/log`)).status, 404);
    assert.equal((await viewer.get(`/dashboard/api/sandbox/users/${id}/log`)).status, 404);
  });
});

describe('GET /dashboard/api/{environment}/users/{id}/connections', () => {
  it('200 follows a link from its creation to its opening', async () => {
    const user = await createUser(service.api(service.keys.sandbox));
    const path = `/dashboard/api/sandbox/users/${user.id}/connections`;
    const begun = await developer.post(`/dashboard/api/sandbox/v1/users/${user.id}/devices`, { provider: 'whoop' });
    assert.equal(begun.status, 200, begun.text);
    const { id, auth_url } = begun.body.data ?? begun.body;
    const read = async () =>
      (await viewer.get(path)).body.connections.find((connection: { id: string }) => connection.id === id);
    const created = await read();
    assert.deepEqual([created.status, created.provider_name, created.link.opened_at], ['pending', 'WHOOP', null]);
    assert.ok(created.link.expires_at > created.link.created_at);
    await fetch(auth_url);
    const opened = await read();
    assert.ok(opened.link.opened_at !== null);
    assert.equal(opened.link.decided_at, null);
  });

  it('200 lists a phone with the events of its data', async () => {
    const id = await createUploaded(1);
    const { body } = await viewer.get(`/dashboard/api/live/users/${id}/connections`);
    const [connection] = body.connections;
    assert.deepEqual([connection.transport, connection.name, connection.log], ['sdk', 'Field watch', []]);
    assert.ok(connection.events.some(({ type }: { type: string }) => type === 'data.updated'));
  });

  it('200 with an empty log for a device that is not synced; 404 for an unknown device', async () => {
    const id = await createUploaded(1);
    const { body } = await viewer.get(`/dashboard/api/live/users/${id}/connections`);
    const log = await viewer.get(`/dashboard/api/live/users/${id}/devices/${body.connections[0].id}/log`);
    assert.deepEqual([log.status, log.body.data, log.body.next_cursor], [200, [], null]);
    assert.equal((await viewer.get(`/dashboard/api/live/users/${id}/devices/${ABSENT_ID}/log`)).status, 404);
  });
});
