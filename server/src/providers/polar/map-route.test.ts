import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { polar } from './index.ts';

const exercises = polar.resources.find(({ name }) => name === 'exercises') ?? assert.fail();
const BODY = {
  id: 'A1',
  start_time: '2026-03-02T07:05:10',
  start_time_utc_offset: 60,
  duration: 'PT31M',
  sport: 'RUNNING',
  route: [
    { latitude: 60.1, longitude: 25.2, time: 'PT1.026S', satellites: 9, fix: 1 },
    { latitude: 60.2, longitude: 25.2, time: 'PT61S', satellites: 9, fix: 1 },
    { latitude: 0, longitude: 0, time: 'PT62S', satellites: 0, fix: 0 },
    { latitude: 60.3, time: 'PT63S' },
  ],
};
const account = { providerUserId: '1', accessToken: 'a', refreshToken: null };

describe('routes of Polar', () => {
  it('are requested and read only for accounts that keep them', () => {
    assert.equal(exercises.requestOne?.('A1', account).query?.route, undefined);
    assert.equal(exercises.requestOne?.('A1', { ...account, keepsRoutes: true }).query?.route, 'true');
    const [off] = exercises.map(BODY, { zone: 'UTC', window: null }).workouts;
    assert.equal(off?.route, undefined);
    const [on] = exercises.map(BODY, { zone: 'UTC', window: null, keepsRoutes: true }).workouts;
    assert.deepEqual(
      on?.route?.map(({ time, latitude }) => [new Date(time).toISOString(), latitude]),
      [
        ['2026-03-02T06:05:11.026Z', 60.1],
        ['2026-03-02T06:06:11.000Z', 60.2],
      ],
    );
  });
});
