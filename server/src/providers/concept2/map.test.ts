import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { readFixture } from '../../../test/support/provider-fixture.ts';
import { listReported } from '../../../test/support/reported-samples.ts';
import type { FetchWindow } from '../contract.ts';
import { mapSport } from '../map-sport.ts';
import { concept2 } from './index.ts';
import { mapResults } from './map-results.ts';
import { mapStrokes } from './map-strokes.ts';
import { concept2OAuth } from './oauth.ts';
import { CONCEPT2_RESOURCES } from './resources.ts';
import { CONCEPT2_SPORTS } from './sports.ts';

const read = (name: string) => readFixture('concept2', name);
const context = { zone: 'Europe/Paris', window: null };
const account = { providerUserId: '71204', accessToken: 'a', refreshToken: null };
const { data: interval } = read('intervals') as { data: Readonly<Record<string, unknown>> };
const at = (time: string) => Date.parse(`2026-03-09T${time}+01:00`);

describe('results of Concept2', () => {
  const { workouts } = mapResults(read('results'), context);
  const [row, ski, entered] = workouts;

  it('are workouts that end at their date, with tenths of a second and meters', () => {
    assert.deepEqual(
      [row?.sportType, row?.durationMinutes, row?.distanceKm, row?.activeCalories, row?.method],
      ['indoor_rowing', 30, 7.12, 391, 'active'],
    );
    assert.deepEqual([row?.avgHeartRate, row?.maxHeartRate], [143, 168]);
  });

  it('begin before their work and their rest', () => {
    assert.equal(((ski?.end ?? 0) - (ski?.start ?? 0)) / 1_000, 487.3 + 60);
    assert.equal(ski?.durationMinutes, 4_873 / 600);
  });

  it('have no heart rate of 0', () => {
    assert.deepEqual([ski?.avgHeartRate, ski?.maxHeartRate], [151, null]);
  });

  it('keep the name of a machine that is no sport of ours', () => {
    assert.deepEqual([ski?.sportType, ski?.name], ['other', 'skierg']);
    const sports = 'rower dynamic slides bike water snow rollerski paddle multierg'.split(' ');
    for (const word of sports) assert.notEqual(mapSport(CONCEPT2_SPORTS, word), 'other', word);
  });

  it('that were entered with a date alone belong to that date', () => {
    assert.equal(new Date(entered?.start ?? 0).toISOString(), '2026-03-05T23:00:00.000Z');
    assert.deepEqual([entered?.offsetMinutes, entered?.method, entered?.sportType], [60, 'manual', 'rowing']);
  });

  it('with strokes are left to their strokes', () => {
    assert.equal(workouts.length, 3);
    const followed = CONCEPT2_RESOURCES[0]?.followUps?.(read('results'), account) ?? [];
    assert.deepEqual(
      followed.map(({ resource, request }) => [resource, request.path]),
      [['strokes', '/api/users/me/results/88215391/strokes']],
    );
  });

  it('have laps only if the account keeps them', () => {
    assert.equal(row?.laps, undefined);
    const kept = mapResults(read('results'), { ...context, keepsRoutes: true }).workouts[0];
    assert.deepEqual(
      kept?.laps?.map(({ start, end, distanceKm, avgHeartRate, maxHeartRate }) => [
        (start - kept.start) / 1_000,
        (end - kept.start) / 1_000,
        distanceKm,
        avgHeartRate,
        maxHeartRate,
      ]),
      [
        [0, 900, 3.534, 138, 151],
        [900, 1_800, 3.586, 148, 168],
      ],
    );
  });
});

describe('strokes of Concept2', () => {
  it('are heart rates of the workout, whose time begins again in each interval', () => {
    const { workouts } = mapStrokes(read('intervals-strokes'), { ...context, calledBy: interval });
    assert.deepEqual(workouts[0]?.heartRateSamples, [
      { time: at('18:08:02.300'), bpm: 101 },
      { time: at('18:09:30.000'), bpm: 142 },
      { time: at('18:10:59.900'), bpm: 158 },
      { time: at('18:15:02.400'), bpm: 122 },
      { time: at('18:17:59.800'), bpm: 172 },
    ]);
  });

  it('of intervals that are not listed are placed with equal rests', () => {
    const { workout: _, ...unlisted } = interval;
    const { workouts } = mapStrokes(read('intervals-strokes'), { ...context, calledBy: unlisted });
    assert.equal(workouts[0]?.heartRateSamples?.[3]?.time, at('18:08:00') + 179_900 + 180_000 + 2_400);
  });

  it('leave rests out of laps', () => {
    const laps = mapStrokes(null, { ...context, calledBy: interval, keepsRoutes: true }).workouts[0]?.laps;
    assert.deepEqual(
      laps?.map(({ start, end }) => [start, end]),
      [
        [at('18:08:00'), at('18:11:00')],
        [at('18:15:00'), at('18:18:00')],
      ],
    );
  });

  it('give cadence and speed on the bike', () => {
    const { data } = read('results') as { data: { type: string }[] };
    const calledBy = data.find(({ type }) => type === 'bike');
    const records = mapStrokes(read('bike-strokes'), { ...context, calledBy });
    const valuesOf = (metric: string) => listReported(records, metric).map(({ value }) => value);
    assert.deepEqual(valuesOf('cycling_cadence'), [74, 82, 83]);
    assert.equal(valuesOf('cycling_speed')[1], 31.25);
  });
});

describe('requests to Concept2', () => {
  const window = {
    from: Date.parse('2026-03-01T23:00:00Z'),
    to: Date.parse('2026-03-08T23:00:00Z'),
    fromDate: '2026-03-02',
    toDate: '2026-03-08',
  } as FetchWindow;
  const [results, updated] = CONCEPT2_RESOURCES;

  it('select the version, a day more on both sides, and the page', () => {
    const { query, headers } = results?.request(window, '2', account) ?? {};
    assert.deepEqual(query, { from: '2026-03-01', to: '2026-03-09', number: '50', page: '2' });
    assert.deepEqual(headers, { accept: 'application/vnd.c2logbook.v1+json' });
    assert.equal(results?.nextCursor(read('results')), '2');
    assert.equal(results?.nextCursor({ data: [] }), null);
  });

  it('ask for changes in UTC', () => {
    assert.equal(updated?.request(window, null, account).query?.updated_after, '2026-03-01 23:00:00');
  });

  it('repeat the scope at the token endpoint', () => {
    const scope = 'user:read,results:read';
    const code = { code: 'c', redirectUri: 'https://health.example/callback', codeVerifier: null };
    assert.equal(concept2OAuth.exchangeRequest(code).form?.scope, scope);
    assert.equal(concept2OAuth.refreshRequest?.('r').form?.scope, scope);
    const tokens = concept2OAuth.readTokens({ status: 200, headers: {}, body: read('token') });
    assert.ok(!('refused' in tokens));
    assert.deepEqual([tokens.expiresInSeconds, tokens.refreshToken], [604_800, 'refresh-1']);
    const [me] = concept2.oauth.afterConnect;
    assert.equal(me?.readUserId({ status: 200, headers: {}, body: read('user') }), '71204');
  });
});
