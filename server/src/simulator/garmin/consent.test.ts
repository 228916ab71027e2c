// Connecting, permissions, and disconnecting, with the real connector.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { connectSimulated } from '../../../test/support/simulated-connection.ts';
import { ANN, backfill, NAME, startGarmin } from '../../../test/support/simulated-garmin.ts';
import { DAY_MS } from '../../domain/time/durations.ts';
import { garmin } from '../../providers/garmin/index.ts';

describe('the permissions of the user', () => {
  const share = (permission: string) => ({ decision: 'allow', scope: permission });

  it('none: the connector does not continue', async () => {
    await assert.rejects(startGarmin(share('MCT_EXPORT')), /neither health nor activity/);
  });

  it('no history: 412; no activities: 403', async () => {
    const { ask, month } = await startGarmin(share('HEALTH_EXPORT'));
    const [health, activities] = [await ask('dailies', month()), await ask('activities', month())];
    assert.deepEqual([health.status, backfill.readAnswer(health)], [412, 'denied']);
    assert.deepEqual([activities.status, backfill.readAnswer(activities)], [403, 'denied']);
  });

  it('restrict what is pushed, and a change is reported', async () => {
    const { started, receiver, readWebhookItems } = await startGarmin({ ...share('ACTIVITY_EXPORT'), account: NAME });
    started.clock.advance(3 * DAY_MS);
    await started.simulator.tick();
    const kinds = new Set(
      readWebhookItems().map((delivered) => ('resource' in delivered ? delivered.resource : delivered.kind)),
    );
    assert.deepEqual(
      [...kinds].filter((kind) => !/activit/i.test(kind)),
      [],
    );
    assert.ok(kinds.has('activityDetails'));
    await connectSimulated(started, garmin, ANN);
    await started.simulator.tick();
    const reported = receiver.webhooks.map(({ body }) => JSON.parse(Buffer.from(body).toString()));
    const change = reported.find((body) => 'userPermissionsChange' in body)?.userPermissionsChange;
    assert.ok(change[0].permissions.includes('HEALTH_EXPORT'));
  });

  it('an endpoint that is not enabled: 400', async () => {
    const { ask, month, setWebhookUrl } = await startGarmin();
    setWebhookUrl(null);
    const answer = await ask('dailies', month());
    assert.deepEqual([answer.status, backfill.readAnswer(answer)], [400, 'bad_request']);
    assert.match(JSON.stringify(answer.body), /not enabled/);
  });
});

describe('the end', () => {
  it('by the user: one deregistration, and tokens are rejected', async () => {
    const { started, connection, readWebhookItems } = await startGarmin();
    started.fault({ kind: 'revoked', provider: 'garmin', account: NAME });
    await started.simulator.tick();
    await started.simulator.tick();
    const { providerUserId } = connection.account;
    assert.deepEqual(readWebhookItems(), [{ kind: 'deauthorized', providerUserId }]);
    assert.deepEqual(await connection.refresh(), { refused: 'invalid_grant', isDefinite: true });
  });

  it('by the application: 204, then 401, and only the deregistration follows', async () => {
    const { started, connection, ask, month, readWebhookItems } = await startGarmin();
    assert.equal((await ask('hrv', month())).status, 202);
    await started.simulator.tick();
    readWebhookItems();
    const revoke = garmin.oauth.revokeRequest?.(connection.account) ?? assert.fail();
    assert.equal((await connection.ask(revoke)).status, 204);
    assert.equal((await connection.ask(revoke)).status, 401);
    started.clock.advance(DAY_MS);
    await started.simulator.tick();
    assert.deepEqual(
      readWebhookItems().map(({ kind }) => kind),
      ['deauthorized'],
    );
    started.clock.advance(-DAY_MS);
    const again = await connectSimulated(started, garmin, ANN);
    assert.equal(again.account.providerUserId, connection.account.providerUserId);
    assert.equal((await again.ask(backfill.request('hrv', month()))).status, 202, 'it starts again');
  });
});

describe('tokens', async () => {
  const { connection, started } = await startGarmin();

  it('are rotated, and an old refresh token is rejected', async () => {
    const { refreshToken } = connection.account;
    assert.ok(refreshToken !== null && 'accessToken' in (await connection.refresh()));
    assert.deepEqual(await connection.refresh(refreshToken), { refused: 'invalid_grant', isDefinite: true });
  });

  it('are not issued without PKCE', async () => {
    const query = new URLSearchParams({
      response_type: 'code',
      client_id: started.simulator.clientOf('garmin').clientId,
      redirect_uri: 'http://127.0.0.1:9/callback',
    });
    const back = await started.consent(`${started.url}/garmin/oauth2Confirm?${query}`);
    assert.equal(back.get('error'), 'invalid_request');
  });

  it('429, 503 and a definite 401 in Garmin’s format', async () => {
    const { ask, month, started: other } = await startGarmin();
    const heal = other.fault({ kind: 'rate_limited', provider: 'garmin' });
    assert.equal(backfill.readAnswer(await ask('dailies', month())), 'rate_limited');
    heal();
    other.fault({ kind: 'unavailable', provider: 'garmin', times: 1 });
    assert.equal(backfill.readAnswer(await ask('dailies', month())), 'unavailable');
    other.fault({ kind: 'revoked', provider: 'garmin' });
    assert.equal(backfill.readAnswer(await ask('dailies', month())), 'unauthorized');
  });
});
