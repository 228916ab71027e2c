// Routes of workouts that were stored before the account kept routes.

import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { DAY_MS, MINUTE_MS } from '../../src/domain/time/durations.ts';
import { writeFitRecording } from '../../src/simulator/write-fit-recording.ts';
import { openTestCloud } from '../support/test-cloud.ts';
import { createKey } from '../support/test-users.ts';

const cloud = await openTestCloud({ after }, { TRIBUTARY_BACKFILL_DAYS: '30' });
const { stub, clock } = cloud;
const WORKOUTS = '/suunto/v3/workouts';

describe('POST /v1/users/{id}/devices/{device_id}/sync?history=true', () => {
  it('202 brings routes and laps of workouts that were stored before the account kept them', async () => {
    const startMs = clock.now().getTime() - 20 * DAY_MS;
    const endMs = startMs + 30 * MINUTE_MS;
    const workout = { workoutKey: 'w1', activityId: 1, startTime: startMs, stopTime: endMs, totalTime: 1_800 };
    stub.answer('/suunto', { json: [] });
    stub.answer(WORKOUTS, ({ query }) => {
      const isInside = Number(query.get('since')) <= startMs && startMs <= Number(query.get('until') ?? Infinity);
      return { json: { payload: isInside ? [workout] : [] } };
    });
    stub.answer(`${WORKOUTS}/w1`, { json: { payload: workout } });
    const recording = writeFitRecording({ startMs, endMs, sport: 1, meters: 5_000, bpmAt: () => 140 });
    stub.answer(`${WORKOUTS}/w1/fit`, { text: recording });
    const { user, device } = await cloud.connect('suunto', { tokens: { scopes: ['workout'] } });
    const api = cloud.service.api(await createKey(cloud.service, user.tenant.accountId, 'live'));
    await cloud.runDue();
    const read = async () => {
      const { body } = await api.get(
        `/v1/users/${user.userId}/workouts?per_page=5&start_date=2026-01-01&end_date=2026-12-31`,
      );
      return (await api.get(`/v1/users/${user.userId}/workouts/${body.data[0].id}?include=route,laps`)).body;
    };
    assert.deepEqual([(await read()).route, stub.at(`${WORKOUTS}/w1/fit`).length], [null, 1]);

    const backfillState = async () => (await api.get(`/v1/users/${user.userId}/devices`)).body.data[0].backfill.state;
    await cloud.query('update accounts set keep_routes = true where id = $1', [user.tenant.accountId]);
    const sync = (query: string) => api.post(`/v1/users/${user.userId}/devices/${device.id}/sync${query}`);
    clock.advance(5 * MINUTE_MS);
    assert.equal((await sync('')).status, 202);
    await cloud.runDue();
    assert.equal((await read()).route, null, 'only recent days');

    assert.equal(await backfillState(), 'done');
    for (const _ of [1, 2]) assert.equal((await sync('?history=true')).status, 202);
    assert.equal(await backfillState(), 'waiting');
    await cloud.runDue();
    const { route, laps } = await read();
    assert.deepEqual([route.points.length, laps.items.length], [31, 3]);
    assert.equal(stub.at(`${WORKOUTS}/w1/fit`).length, 2);
    assert.equal(await backfillState(), 'done');
  });
});
