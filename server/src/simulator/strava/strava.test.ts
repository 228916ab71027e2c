// The simulated Strava, read by the real connector over HTTP.

import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { assertEvery } from '../../../test/support/assert-every.ts';
import { lastDates, seenOn } from '../../../test/support/lived-days.ts';
import { listenTo, startWebhookReceiver } from '../../../test/support/provider-webhook-receiver.ts';
import { metricsOf } from '../../../test/support/read-pages.ts';
import { connectSimulated, windowOfDays } from '../../../test/support/simulated-connection.ts';
import { connectPerson } from '../../../test/support/simulated-person.ts';
import type { Workout } from '../../domain/records/records.ts';
import { MINUTE_MS } from '../../domain/time/durations.ts';
import type { ProviderRequest, WebhookSecrets } from '../../providers/contract.ts';
import { strava } from '../../providers/strava/index.ts';

/** Runs and cycles. */
const WHO = 'fay';
const fay = await connectPerson({ after }, strava, WHO);
const { connection, simulator, today, isOver, resourceOf } = fay;
const activities = resourceOf('activities');
const window = () => windowOfDays(simulator.clock.now(), 28);

type Listed = { readonly id: string; readonly start: number; readonly end: number };

async function listAll(by = connection): Promise<Listed[]> {
  const listed: Listed[] = [];
  for (let cursor: string | null = null, isFirst = true; isFirst || cursor !== null; isFirst = false) {
    const answer = await by.ask(activities.request(window(), cursor, by.account));
    listed.push(...(activities.listRecords?.(answer.body) ?? []));
    cursor = activities.nextCursor(answer.body);
  }
  return listed;
}

const readWhole = async (id: string) => {
  const pages = await connection.readOneWithMore(activities, id);
  return { pages, workout: pages.flatMap(({ workouts }) => workouts).at(-1) as Workout };
};

const get = (path: string, query: Readonly<Record<string, string>> = {}): ProviderRequest => ({
  origin: 'api',
  method: 'GET',
  path: `/api/v3${path}`,
  query,
  as: 'person',
});

const listed = await listAll();
const seen = lastDates(today, 28).flatMap((date) => seenOn('watch', WHO, date).workouts.filter(isOver));

describe('the connector reads the simulated data', () => {
  it('every activity once, with ids that a double cannot hold', () => {
    assert.equal(new Set(listed.map(({ id }) => id)).size, listed.length);
    assertEvery(listed, ({ id }) => BigInt(id) > 2n ** 53n, 'large ids');
    assert.ok(seen.length > 3);
    for (const { start, end } of seen)
      assert.ok(
        listed.some((one) => one.start === start && one.end === end),
        `${start}`,
      );
    assert.ok(listed.length > seen.length, 'some were entered by hand');
  });

  it('details and streams of a recorded activity', async () => {
    const run = seen.find(({ sportType }) => sportType === 'running') ?? assert.fail('no run');
    const { id } = listed.find(({ start }) => start === run.start) ?? assert.fail('not listed');
    const { pages, workout } = await readWhole(id);
    assert.deepEqual(
      [workout.key, workout.sportType, workout.offsetMinutes, workout.activeCalories, workout.method],
      [id, 'running', run.offsetMinutes, run.activeCalories, 'active'],
    );
    assert.equal(workout.heartRateSamples?.length, run.heartRateSamples?.length);
    assert.equal(workout.recordedBy?.vendor, 'garmin');
    assert.deepEqual(metricsOf(pages), ['running_power', 'running_speed']);
    assert.equal(workout.route, undefined);
  });

  it('an activity that was entered by hand, without streams and distance', async () => {
    const entered = listed.find(({ start }) => !seen.some((one) => one.start === start)) ?? assert.fail('none');
    const { pages, workout } = await readWhole(entered.id);
    assert.deepEqual(
      [pages.length, workout.method, workout.distanceKm, workout.activeCalories, workout.recordedBy],
      [1, 'manual', null, null, null],
    );
  });

  it('fewer activities without the scope for private ones, and none without any', async () => {
    const grant = (scope: string) => connectSimulated(simulator, strava, { decision: 'allow', account: WHO, scope });
    const readsPublic = await grant('activity:read');
    const readsNothing = await grant('read');
    assert.equal((await readsNothing.ask(get('/athlete/activities'))).status, 403);
    const visible = await listAll(readsPublic);
    const hidden = listed.filter(({ id }) => !visible.some((one) => one.id === id));
    for (const { id } of hidden.slice(0, 1))
      assert.equal((await readsPublic.ask(get(`/activities/${id}`))).status, 404, 'as if it did not exist');
    assert.ok(hidden.length > 0 && visible.length > 0);
  });
});

describe('as at Strava', () => {
  it('usage counts up for all requests and for reads, and ends on the quarter hour', async () => {
    const usage = async () => {
      const { headers } = await connection.ask(get('/athlete'));
      return [headers['x-ratelimit-limit'], headers['x-readratelimit-limit'], headers['x-readratelimit-usage']];
    };
    const [all, reads, before] = await usage();
    assert.deepEqual([all, reads], ['200,2000', '100,1000']);
    const [, , next] = await usage();
    assert.equal(Number(next?.split(',')[0]), Number(before?.split(',')[0]) + 1);
    simulator.clock.advance(15 * MINUTE_MS);
    assert.equal((await usage())[2]?.split(',')[0], '1');
  });

  it('429 beyond the limit of reads', async () => {
    const heal = simulator.fault({ kind: 'rate_limited', provider: 'strava', times: 1 });
    const { status, headers, body } = await connection.ask(get('/athlete'));
    heal();
    assert.deepEqual([status, headers['x-readratelimit-usage']?.split(',')[0]], [429, '100']);
    assert.equal((body as { message: string }).message, 'Rate Limit Exceeded');
  });

  it('a refresh names no athlete; after a revocation it is rejected permanently', async () => {
    const other = await connectSimulated(simulator, strava, { decision: 'allow', account: 'eve' });
    assert.match(other.account.providerUserId, /^\d{17,}$/);
    const tokens = await other.refresh();
    assert.ok(!('refused' in tokens));
    assert.equal(tokens.providerUserId, null);
    const revoke = strava.oauth.revokeRequest?.(other.account) ?? assert.fail();
    assert.equal((await other.ask({ ...revoke, origin: 'api' })).status, 200);
    assert.equal((await other.ask(get('/athlete'))).status, 401);
    assert.deepEqual(await other.refresh(), { refused: 'invalid_grant', isDefinite: true });
  });

  it('streams are missing until the activity is processed', async () => {
    const later = await connectPerson({ after }, strava, WHO);
    const recorded = seen.at(-1) ?? assert.fail();
    const { id } = listed.find(({ start }) => start === recorded.start) ?? assert.fail();
    const query = { keys: 'time,heartrate', key_by_type: 'true' };
    const at = Math.ceil(recorded.end / (15 * MINUTE_MS)) * 15 * MINUTE_MS;
    const statusAt = async (ms: number) => {
      later.simulator.clock.advance(ms - later.simulator.clock.now().getTime());
      const fresh = await connectSimulated(later.simulator, strava, { decision: 'allow', account: WHO });
      return (await fresh.ask(get(`/activities/${id}/streams`, query))).status;
    };
    assert.deepEqual([await statusAt(at), await statusAt(at + MINUTE_MS)], [404, 200]);
  });
});

describe('webhooks', () => {
  it('report new, changed and deleted activities and the end of access to the one subscription', async () => {
    const token = 'unguessable';
    const webhook = strava.webhook ?? assert.fail();
    const rule = webhook.subscriptions ?? assert.fail();
    const secrets: WebhookSecrets = {
      ...simulator.simulator.clientOf('strava'),
      verificationToken: token,
      publicKeys: {},
    };
    const receiver = await startWebhookReceiver(webhook, secrets);
    after(() => receiver.close());
    const create = () => connection.ask(rule.createRequest('all', receiver.url, secrets, null));
    assert.equal((await create()).status, 201);
    assert.equal((await create()).status, 400, 'one per application');
    const subscriptions = rule.readList(await connection.ask(rule.listRequest(null)));
    assert.deepEqual(
      subscriptions.map(({ callbackUrl }) => callbackUrl),
      [receiver.url],
    );
    const { tickAndRead } = listenTo(simulator, webhook, receiver);
    await tickAndRead();
    const heal = simulator.fault({ kind: 'deleted_record', provider: 'strava', record: 'workout', account: WHO });
    const deleted = await tickAndRead();
    assert.deepEqual(
      deleted.map(({ kind }) => kind),
      ['deleted'],
    );
    heal();
    await tickAndRead();
    simulator.fault({ kind: 'changed_record', provider: 'strava', record: 'workout', account: WHO });
    assert.deepEqual(
      (await tickAndRead()).map(({ kind }) => kind),
      ['changed'],
    );
    simulator.fault({ kind: 'revoked', provider: 'strava', account: WHO });
    assert.deepEqual(
      (await tickAndRead()).map(({ kind }) => kind),
      ['deauthorized'],
    );
    const [{ id } = assert.fail()] = subscriptions;
    assert.equal((await connection.ask(rule.deleteRequest(id, null))).status, 204);
  });
});
