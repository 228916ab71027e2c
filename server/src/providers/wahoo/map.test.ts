import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { readFixture } from '../../../test/support/provider-fixture.ts';
import { writeFitRecording } from '../../simulator/write-fit-recording.ts';
import type { MapContext, Resource } from '../contract.ts';
import { wahoo } from './index.ts';

const BODY = readFixture('wahoo', 'workouts') as { workouts: Record<string, unknown>[] };
const CONTEXT: MapContext = { zone: 'Europe/Paris', window: null };
const account = { providerUserId: '1', accessToken: 'a', refreshToken: null };
const [workouts, files] = wahoo.resources as [Resource, Resource];
const START = Date.parse('2026-03-02T06:05:10Z');

describe('workouts of Wahoo', () => {
  it('have numbers written as strings; planned ones are not mapped', () => {
    const mapped = workouts.map(BODY, CONTEXT).workouts;
    assert.deepEqual(
      mapped.map(({ key, sportType, method }) => [key, sportType, method]),
      [
        ['201000001', 'running', 'active'],
        ['201000002', 'cycling', 'manual'],
      ],
    );
    const [run, ride] = mapped;
    assert.deepEqual(
      [run?.distanceKm, run?.activeCalories, run?.durationMinutes, run?.avgHeartRate],
      [5.1034, 312, 31.05, 148],
    );
    assert.deepEqual([run?.recordedBy, ride?.recordedBy], [undefined, { vendor: null, id: null }]);
  });

  it('accept plain numbers, and count text that is none', () => {
    const [first] = BODY.workouts;
    const summary = { ...(first?.workout_summary as object), distance_accum: 5_103.4, calories_accum: 'many' };
    const { workouts: mapped, unreadable } = workouts.map({ ...first, workout_summary: summary }, CONTEXT);
    assert.deepEqual([mapped[0]?.distanceKm, mapped[0]?.activeCalories], [5.1034, null]);
    assert.equal(unreadable.get('calories_accum'), 1);
  });

  it('are read page by page until one is before the window', () => {
    assert.equal(workouts.nextCursor(BODY), null);
    assert.equal(workouts.nextCursor({ ...BODY, total: 31 }), '2/30');
    const full = { workouts: Array.from({ length: 30 }, () => BODY.workouts[0]) };
    assert.equal(workouts.nextCursor(full, '2/30'), '3/30', 'without a total');
    assert.equal(workouts.nextCursor({ workouts: full.workouts.slice(1) }, '2/30'), null);
    assert.deepEqual(workouts.request({} as never, '2/30', account).query, { page: '2', per_page: '30' });
    const window = (from: string) => ({ from: Date.parse(from) }) as Parameters<typeof workouts.request>[0];
    assert.equal(workouts.endsBefore?.(BODY, window('2026-03-03T00:00:00Z')), false);
    assert.equal(workouts.endsBefore?.(BODY, window('2026-03-20T00:00:00Z')), true);
  });
});

describe('recordings of Wahoo', () => {
  const [recorded] = BODY.workouts;

  it('are requested with their workout, from the file server, without a credential', () => {
    assert.deepEqual(workouts.followUps?.(BODY, account), []);
    assert.deepEqual(
      workouts.listRecords?.(BODY).map(({ id }) => id),
      ['201000001'],
    );
    assert.deepEqual(workouts.listRecords?.(recorded), []);
    const [followUp, ...others] = workouts.followUps?.(recorded, account) ?? [];
    assert.deepEqual(others, []);
    assert.deepEqual(followUp?.request, {
      origin: 'files',
      method: 'GET',
      path: '/wahoo-cloud/production/uploads/workout_file/file/a1/run.fit',
      query: {},
      accepts: 'file',
      as: 'nobody',
    });
    for (const url of ['http://cdn.wahooligan.com/a', 'https://127.0.0.1/a', 'file:///etc/passwd', 'x', 7]) {
      const elsewhere = { ...recorded, workout_summary: { ...(recorded?.workout_summary as object), file: { url } } };
      assert.deepEqual(workouts.followUps?.(elsewhere, account), [], String(url));
      assert.deepEqual(workouts.listRecords?.({ workouts: [elsewhere] }), [], String(url));
      assert.equal(workouts.map(elsewhere, CONTEXT).workouts.length, 1, String(url));
    }
  });

  it('add heart rates, route and laps; without one the workout is complete otherwise', () => {
    const bytes = writeFitRecording({
      startMs: START,
      endMs: START + 1_860_000,
      sport: 1,
      meters: 5_000,
      bpmAt: () => 140,
    });
    const context = { ...CONTEXT, keepsRoutes: true, calledBy: BODY.workouts[0] };
    const [run] = files.map(bytes, context).workouts;
    assert.deepEqual([run?.route?.length, run?.laps?.length, run?.heartRateSamples?.length], [32, 4, 32]);
    const [without] = files.map(null, context).workouts;
    assert.deepEqual([without?.key, without?.heartRateSamples], ['201000001', null]);
    const { workouts: damaged, unreadable } = files.map(Buffer.from('<html>'), context);
    assert.deepEqual([damaged.length, unreadable.get('file')], [1, 1]);
    const [beats] = files.map(files.withoutPositions?.(bytes), context).workouts;
    assert.deepEqual([beats?.route, beats?.laps], [null, null]);
    assert.deepEqual(beats?.heartRateSamples, run?.heartRateSamples);
    assert.equal(files.withoutPositions?.(Buffer.from('<html>')), null);
  });

  it('do not hold up the sync if the link has expired or the file is too large', () => {
    const isMissing = (status: number) => files.isEmpty({ status, headers: {}, body: null });
    assert.deepEqual([403, 404, 410, 413].map(isMissing), [true, true, true, true]);
    assert.deepEqual([200, 429, 503].map(isMissing), [false, false, false]);
  });
});

describe('webhooks of Wahoo', () => {
  it('need the secret of the path', () => {
    const secrets = { clientId: 'id', clientSecret: 's', verificationToken: 'hidden', publicKeys: {} };
    const verify = (path: string) =>
      wahoo.webhook?.verify(
        { method: 'POST', path, query: {}, headers: {}, body: Buffer.from('{}') },
        secrets,
        new Date(),
      );
    assert.equal(verify('/w/hidden'), 'genuine');
    assert.equal(verify('/w/other'), 'forged');
  });
});
