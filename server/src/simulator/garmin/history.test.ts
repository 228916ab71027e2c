// Backfills, as the connector requests and receives them.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { assertEvery } from '../../../test/support/assert-every.ts';
import { sumOfSeries, simulatedZone as zone } from '../../../test/support/lived-days.ts';
import {
  backfill,
  dailyOf,
  daysBefore,
  livedOn,
  NAME,
  samplesOf,
  startGarmin,
  type Taken,
  watchOn,
} from '../../../test/support/simulated-garmin.ts';
import type { MetricId } from '../../domain/metrics/index.ts';
import type { SampleColumns } from '../../domain/packed/sample-blocks/index.ts';
import type { Workout } from '../../domain/records/records.ts';
import { weighOn } from '../../domain/sandbox/index.ts';
import { addDays } from '../../domain/time/calendar.ts';
import { DAY_MS, MINUTE_MS } from '../../domain/time/durations.ts';
import type { ProviderAnswer } from '../../providers/contract.ts';
import { garmin } from '../../providers/garmin/index.ts';

describe('history', async () => {
  const { started, connection, take, ask, month, receiver } = await startGarmin();
  const nowMs = started.clock.now().getTime();
  const { date: today } = zone.dayAt(nowMs);
  const yesterday = addDays(today, -1);
  const dates = Array.from({ length: 29 }, (_, index) => addDays(today, index - 28));

  it('arrives after it was requested, kind by kind, and not before', async () => {
    assert.deepEqual(await take(), []);
    for (const kind of backfill.kinds) assert.equal(backfill.readAnswer(await ask(kind, month())), 'accepted', kind);
  });

  const taken: Taken[] = [];
  it('has every kind and every metric that the connector supports', async () => {
    taken.push(...(await take()));
    for (const kind of backfill.kinds)
      assert.ok(
        taken.some((one) => one.kind === kind),
        kind,
      );
    const seen = new Set<string>();
    for (const { records } of taken) {
      for (const metric of records.samples.keys()) seen.add(metric);
      for (const { metric } of records.daily) seen.add(metric);
    }
    const promised = garmin.metrics.filter((metric) => !metric.startsWith('wheelchair'));
    assert.deepEqual([...seen].sort(), [...promised].sort());
  });

  it('has days as they were simulated', () => {
    for (const date of dates.slice(0, -1)) {
      const watch = watchOn(date);
      assert.equal(dailyOf(taken, 'steps', date), sumOfSeries(watch, 'steps'), date);
      assert.equal(dailyOf(taken, 'active_calories', date), Math.round(sumOfSeries(watch, 'active_calories')));
      assert.equal(dailyOf(taken, 'resting_energy', date), Math.round(sumOfSeries(watch, 'resting_energy')));
      assert.equal(dailyOf(taken, 'floors_climbed', date), sumOfSeries(watch, 'floors_climbed'));
      const [resting] = watch.samples.get('resting_heart_rate' as MetricId)?.values ?? [];
      assert.equal(dailyOf(taken, 'resting_heart_rate', date), resting);
      const eaten = livedOn(date).food.meals.reduce((sum, { nutrients }) => sum + nutrients.dietary_energy, 0);
      assert.equal(dailyOf(taken, 'dietary_energy', date), Math.round(eaten));
    }
  });

  it('of today has the data synced so far', () => {
    const { starts, ends, values } = watchOn(today).samples.get('steps' as MetricId) ?? assert.fail();
    const known = Array.from(values).filter((_, index) => (ends?.[index] ?? starts[index] ?? 0) <= nowMs);
    const steps = known.reduce((sum, value) => sum + value, 0);
    assert.ok(steps < sumOfSeries(watchOn(today), 'steps'));
    assert.equal(dailyOf(taken, 'steps', today), steps);
  });

  it('has the heart rate of every minute', () => {
    const reported = new Map(
      samplesOf(taken, 'dailies', 'heart_rate').map(({ start, value }) => [Number(start), value]),
    );
    const beats = watchOn(yesterday).samples.get('heart_rate' as MetricId) ?? assert.fail();
    assert.ok(beats.starts.length > 1_000);
    const wrong = Array.from(beats.starts).filter((start, index) => reported.get(start) !== beats.values[index]);
    assert.deepEqual(wrong, []);
  });

  it('has quarter hours that add up to the day', () => {
    const { start, end } = zone.dayOf(yesterday);
    const ofDay = (metric: string) =>
      samplesOf(taken, 'epochs', metric)
        .filter((one) => one.start >= start && one.start < end)
        .reduce((sum, { value }) => sum + value, 0);
    assert.equal(ofDay('steps'), sumOfSeries(watchOn(yesterday), 'steps'));
    assert.ok(Math.abs(ofDay('distance') - sumOfSeries(watchOn(yesterday), 'distance') * 1_000) < 1);
  });

  it('has nights with their stages, and naps', () => {
    const sessions = taken.flatMap(({ records }) => records.sleep);
    const facts = ({ start, end, offsetMinutes, stages }: (typeof sessions)[number]) => [
      start,
      end,
      offsetMinutes,
      stages,
    ];
    const nights = dates.flatMap((date) => watchOn(date).sleep);
    assert.ok(nights.length > 20);
    const reported = sessions.filter(({ stages }) => stages !== null).slice(-nights.length);
    assert.deepEqual(reported.map(facts), nights.map(facts));
    const naps = dates
      .filter((date) => watchOn(date).sleep.length > 0)
      .flatMap((date) => livedOn(date).sleeps)
      .filter(({ kind, end }) => kind === 'nap' && end <= nowMs);
    const known = new Set(sessions.filter(({ stages }) => stages === null).map(({ start }) => Number(start)));
    assertEvery(naps, ({ start }) => known.has(start));
  });

  it('has variability, oxygen, breathing and skin temperature of the night', () => {
    const date = dates.findLast((one) => (watchOn(one).sleep[0]?.heartRateVariability ?? null) !== null);
    assert.ok(date);
    const [night] = watchOn(date).sleep;
    assert.equal(dailyOf(taken, 'sleep_heart_rate_variability', date), night?.heartRateVariability);
    const deviation = Math.round(livedOn(date).condition.temperatureDeviationC * 100) / 100;
    assert.equal(dailyOf(taken, 'sleep_temperature_deviation', date), deviation);
    for (const [kind, metric] of [
      ['pulseox', 'blood_oxygen'],
      ['allDayRespiration', 'respiratory_rate'],
    ] as const) {
      const points: SampleColumns = watchOn(date).samples.get(metric as MetricId) ?? assert.fail();
      const reported = new Map(samplesOf(taken, kind, metric).map(({ start, value }) => [Number(start), value]));
      assert.ok(points.starts.length > 5);
      assert.deepEqual(
        Array.from(points.starts).map((at) => reported.get(at)),
        Array.from(points.values),
      );
      assert.ok(Math.min(...reported.values()) > 0, 'an unreadable measurement is not a value');
    }
  });

  it('has workouts with their traces, and manual ones', () => {
    const workouts = taken.flatMap(({ records }) => records.workouts);
    const facts = (one: Workout) => [
      one.sportType,
      one.start,
      one.end,
      one.distanceKm,
      one.activeCalories,
      one.steps,
      one.elevationGainM,
      one.heartRateSamples,
    ];
    const lived = dates.flatMap((date) => watchOn(date).workouts).filter(({ end }) => end <= nowMs);
    assert.ok(lived.length > 8);
    const reported = workouts.filter(({ method }) => method === 'active').slice(-lived.length);
    assert.deepEqual(reported.map(facts), lived.map(facts));
    const typed = workouts.filter(({ method }) => method === 'manual');
    assertEvery(typed, ({ sportType }) => sportType === 'mind_body');
    assert.equal(new Set(workouts.map(({ key }) => key)).size, workouts.length);
  });

  it('has weight, and VO2 max from runs', () => {
    const weights = samplesOf(taken, 'bodyComps', 'weight').map(({ value }) => value / 1_000);
    const lived = dates.map((date) => weighOn(livedOn(date))).filter((kg) => kg !== null);
    assert.deepEqual(weights.slice(-lived.length), lived);
    const run = dates.find((date) => watchOn(date).samples.has('vo2_max' as MetricId)) ?? assert.fail();
    assert.equal(dailyOf(taken, 'vo2_max', run), watchOn(run).samples.get('vo2_max' as MetricId)?.values[0]);
  });

  it('is not sent a second time: 409', async () => {
    receiver.webhooks.length = 0;
    const again = await ask('dailies', month());
    assert.deepEqual([again.status, backfill.readAnswer(again)], [409, 'done']);
    assert.deepEqual(await take(), []);
    const narrower = daysBefore(nowMs, 3);
    assert.equal((await ask('dailies', narrower)).status, 202, 'another window is a new request');
    assert.ok((await take()).length > 0);
  });

  it('counts as requested before by a fault, the given number of times', async () => {
    started.fault({ kind: 'repeated_backfill', provider: 'garmin', account: NAME, times: 1 });
    const window = daysBefore(nowMs, 2);
    assert.equal((await ask('sleeps', window)).status, 409);
    assert.deepEqual(await take(), []);
    assert.equal((await ask('sleeps', window)).status, 202);
  });

  it('is rejected beyond 30 days before the consent, and in windows that are too long', async () => {
    const messageOf = ({ body }: ProviderAnswer) => (body as { errorMessage: string }).errorMessage;
    const early = await ask('dailies', daysBefore(nowMs - MINUTE_MS, 30));
    assert.deepEqual([early.status, backfill.readAnswer(early)], [400, 'denied']);
    assert.match(messageOf(early), /^start \S+Z before min start time of \S+Z$/);
    for (const [kind, days] of [
      ['dailies', 91],
      ['activities', 31],
    ] as const) {
      const long = await ask(kind, daysBefore(nowMs + 62 * DAY_MS, days));
      assert.deepEqual([long.status, backfill.readAnswer(long)], [400, 'bad_request'], kind);
    }
    assert.equal((await ask('dailies', daysBefore(nowMs, 0))).status, 400);
    const request = backfill.request('dailies', month());
    assert.equal((await connection.ask({ ...request, query: {} })).status, 400);
    assert.equal((await connection.ask({ ...request, path: '/wellness-api/rest/backfill/dreams' })).status, 404);
  });

  it('is limited by days of data per minute', async () => {
    const busy = await startGarmin();
    let answers = 0;
    let answer: ProviderAnswer;
    do {
      answer = await busy.ask('userMetrics', daysBefore(nowMs + answers * 1_000, 29));
      answers += 1;
    } while (answer.status === 202 && answers < 1_000);
    assert.deepEqual([answers, backfill.readAnswer(answer)], [Math.floor(10_000 / 29) + 1, 'rate_limited']);
    const [whoAmI] = garmin.oauth.afterConnect;
    assert.equal(
      (await busy.connection.ask(whoAmI?.request({ providerUserId: null, memberId: '' }) ?? assert.fail())).status,
      200,
    );
    busy.started.clock.advance(MINUTE_MS);
    assert.equal((await busy.ask('userMetrics', daysBefore(nowMs, 28))).status, 202);
  });
});
