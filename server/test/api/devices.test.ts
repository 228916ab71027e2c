// Tests the list of devices, which a user token may read too.
import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { relabelDevices, restrictProvider } from '../support/restrict-provider.ts';
import { startPhone } from '../support/test-phone.ts';
import { startTestService } from '../support/test-service.ts';
import { ABSENT_ID, createUser } from '../support/test-users.ts';

const service = await startTestService();
after(() => service.stop());
const api = service.api();

const tokenOf = async (userId: string): Promise<string> =>
  (await api.post('/v1/auth/user-token', { user_id: userId })).body.token;

describe('GET /v1/users/{id}/devices', () => {
  it('200 lists the devices of the user, oldest first, for the key and the user’s own token', async () => {
    const user = await createUser(api);
    await service.running.services.db.query(
      `insert into devices (user_id, id, provider, status, created_at, connected_at)
       values ($1, gen_random_uuid(), 'oura', 'active', now(), '2026-03-01T10:00:00Z'),
              ($1, gen_random_uuid(), 'garmin', 'pending', now() - interval '1 day', null)`,
      [user.id],
    );
    for (const token of [service.keys.live, await tokenOf(user.id)]) {
      const { status, body } = await service.api(token).get(`/v1/users/${user.id}/devices`);
      assert.equal(status, 200);
      assert.deepEqual(
        body.data.map((device: { provider: string; status: string; connected_at: string | null }) => [
          device.provider,
          device.status,
          device.connected_at,
        ]),
        [
          ['garmin', 'pending', null],
          ['oura', 'active', '2026-03-01T10:00:00Z'],
        ],
      );
    }
    const detail = await api.get(`/v1/users/${user.id}`, { headers: { 'api-form': '2' } });
    assert.deepEqual(detail.body.sync, { last_sync_at: null, devices_active: 1, devices_failing: 0 });
  });

  it('200 names the providers of the data whose terms restrict its use, also for a user token', async (t) => {
    const user = await createUser(api);
    const date = '2026-03-01';
    await (await startPhone(service, user.id)).upload({ daily: [{ date, metric: 'steps', value: 5_000 }] });
    restrictProvider(t, 'oura', ['no_ai']);
    restrictProvider(t, 'garmin', ['no_ai']);
    await relabelDevices(t, service, user.id, { from: 'apple_health', to: 'oura' });
    const { body } = await service.api(await tokenOf(user.id)).get(`/v1/users/${user.id}/devices`);
    const restrictions = [{ kind: 'no_ai', description: 'Invented for tests: no_ai.', days: null }];
    assert.deepEqual(body.restricted_providers, [{ provider: 'oura', restrictions, passed_on: false }]);
    const ofKey = await api.get(`/v1/users/${user.id}/restrictions`);
    assert.deepEqual(ofKey.body.data, body.restricted_providers);
  });

  it('200 is the same in both forms', async () => {
    const user = await createUser(api);
    for (const form of ['1', '2']) {
      const answer = await api.get(`/v1/users/${user.id}/devices`, { headers: { 'api-form': form } });
      assert.deepEqual(answer.body, { data: [], restricted_providers: [] });
      assert.equal(answer.headers.get('api-form'), form);
    }
  });

  it('403 wrong_user for the token of another user, 401 for the token of a deleted user', async () => {
    const [user, other] = [await createUser(api), await createUser(api)];
    const token = await tokenOf(other.id);
    const foreign = await service.api(token).get(`/v1/users/${user.id}/devices`);
    assert.deepEqual([foreign.status, foreign.body.error], [403, 'wrong_user']);
    await api.delete(`/v1/users/${other.id}`);
    const gone = await service.api(token).get(`/v1/users/${other.id}/devices`);
    assert.deepEqual([gone.status, gone.body.error], [401, 'invalid_token']);
  });

  it('404 for an unknown user', async () => {
    assert.equal((await api.get(`/v1/users/${ABSENT_ID}/devices`)).status, 404);
  });
});
