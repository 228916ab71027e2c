import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { findMetric } from '../metrics/index.ts';
import type { DeviceClass, MetricId } from '../metrics/metric.ts';
import {
  type EpochMs,
  SLEEP_STAGES,
  type SleepSession,
  type SleepStage,
  type StagePeriod,
} from '../records/records.ts';
import type { DeviceId } from '../tenancy.ts';
import type { LocalDate } from '../time/calendar.ts';
import { createZone } from '../time/day.ts';
import { MINUTE_MS } from '../time/durations.ts';
import {
  consolidateSleeps,
  dateSleeps,
  findMainSleep,
  findSeenNight,
  findSleepDetail,
  listMainSessions,
  sleepDate,
  summarizeSleepDay,
  totalSleep,
} from './index.ts';
import { flattenStages, STAGE_PRECEDENCE } from './stage-minutes.ts';

const berlin = createZone('Europe/Berlin');
const at = (text: string) => Date.parse(text) as EpochMs;
/** Minutes after 22:00 UTC on 2026-01-09; 23:00 in Berlin, local midnight is minute 60. */
const minute = (after: number) => (at('2026-01-09T22:00:00Z') + after * MINUTE_MS) as EpochMs;
const DATE = '2026-01-10' as LocalDate;

function sleep(start: number, end: number, given: Partial<SleepSession> = {}): SleepSession {
  const nothing = Object.fromEntries(
    ['stages', 'asleepMinutes', 'deepMinutes', 'lightMinutes', 'remMinutes', 'awakeMinutes', 'inBedMinutes']
      .concat(
        ['heartRate', 'heartRateVariability', 'respiratoryRate', 'bloodOxygen'],
        ['bodyTemperature', 'skinTemperature', 'wristTemperature'],
      )
      .map((field) => [field, null]),
  ) as unknown as SleepSession;
  return {
    ...nothing,
    key: String(start),
    start: minute(start),
    end: minute(end),
    offsetMinutes: 60,
    hrvKind: 'rmssd',
    method: 'automatic',
    ...given,
  };
}

const stages = (...list: [SleepStage, number, number][]): StagePeriod[] =>
  list.map(([stage, start, end]) => ({ stage, start: minute(start), end: minute(end) }));

function of(id: string, session: SleepSession, deviceClass: DeviceClass = 'ring', provider = id) {
  const device = { id: id as DeviceId, provider, deviceClass, transport: 'cloud', connectedAt: 0 as EpochMs } as const;
  return { device, session, duplicates: [] };
}

describe('the totals of one sleep', () => {
  const staged = stages(
    ['awake', 0, 10],
    ['light', 10, 200],
    ['deep', 200, 290],
    ['awake', 290, 300],
    ['rem', 300, 400],
  );

  it('missing minutes come from the stages, and asleep is asleep + light + deep + REM', () => {
    const totals = totalSleep(sleep(0, 420, { stages: [...staged, ...stages(['asleep', 400, 415])] }));
    assert.equal(totals.light, 190);
    assert.equal(totals.deep, 90);
    assert.equal(totals.rem, 100);
    assert.equal(totals.awake, 20);
    assert.equal(totals.asleep, 395);
    assert.equal(totals.restorative, 190);
  });

  it('reported minutes win over stages, even 0', () => {
    const totals = totalSleep(
      sleep(0, 420, { stages: staged, asleepMinutes: 370, awakeMinutes: 0, inBedMinutes: 400 }),
    );
    assert.deepEqual([totals.asleep, totals.awake, totals.inBed, totals.deep], [370, 0, 400, 90]);
    assert.equal(totals.efficiencyPct, 92.5);
  });

  it('null, not 0, for values that the source does not report', () => {
    const none = totalSleep(sleep(0, 420));
    for (const value of Object.values(none)) assert.equal(value, null);
    const simple = totalSleep(sleep(0, 420, { stages: stages(['asleep', 0, 420]) }));
    assert.equal(simple.asleep, 420);
    for (const value of [simple.deep, simple.light, simple.rem, simple.awake, simple.restorative])
      assert.equal(value, null);
    const partly = totalSleep(sleep(0, 420, { stages: stages(['light', 0, 300], ['rem', 300, 420]) }));
    assert.deepEqual(
      [partly.asleep, partly.light, partly.rem, partly.deep, partly.awake, partly.restorative],
      [420, 300, 120, null, null, null],
    );
    assert.equal(totalSleep(sleep(0, 420, { deepMinutes: 60 })).restorative, null, 'REM is unknown');
  });

  it('asleep is the sum of reported stages if light sleep is among them', () => {
    assert.equal(totalSleep(sleep(0, 420, { lightMinutes: 200, deepMinutes: 60 })).asleep, 260);
    assert.equal(totalSleep(sleep(0, 420, { deepMinutes: 60, remMinutes: 90 })).asleep, null);
  });

  it('in bed: reported, else staged, else end - start if there are stages, else null', () => {
    assert.equal(totalSleep(sleep(0, 420, { stages: staged, inBedMinutes: 430 })).inBed, 430);
    const healthKit = stages(['in_bed', 0, 410], ['asleep', 20, 200], ['asleep', 210, 400]);
    assert.equal(totalSleep(sleep(0, 420, { stages: healthKit })).inBed, 410);
    assert.equal(totalSleep(sleep(0, 420, { stages: staged })).inBed, 420);
    assert.equal(totalSleep(sleep(0, 420, { asleepMinutes: 400 })).inBed, null);
  });

  it('efficiency is null without in-bed time and never above 100', () => {
    assert.equal(totalSleep(sleep(0, 420, { asleepMinutes: 400 })).efficiencyPct, null);
    assert.equal(totalSleep(sleep(0, 420, { asleepMinutes: 400, inBedMinutes: 0 })).efficiencyPct, null);
    assert.equal(totalSleep(sleep(0, 420, { asleepMinutes: 400, inBedMinutes: 390 })).efficiencyPct, 100);
  });

  it('latency, waking after onset and awakenings come from stages only, between first and last sleep', () => {
    const totals = totalSleep(sleep(0, 420, { stages: [...staged, ...stages(['awake', 400, 420])] }));
    assert.deepEqual([totals.latency, totals.wakeAfterOnset, totals.awakenings], [10, 10, 1]);
    const abrupt = totalSleep(sleep(0, 420, { stages: stages(['light', 0, 420]) }));
    assert.deepEqual([abrupt.latency, abrupt.wakeAfterOnset, abrupt.awakenings], [null, null, null]);
  });
});

describe('overlapping stages', () => {
  const flat = (...list: [SleepStage, number, number][]) =>
    flattenStages(stages(...list), minute(0), minute(100)).map(({ stage, start, end }) => [
      stage,
      (start - minute(0)) / MINUTE_MS,
      (end - minute(0)) / MINUTE_MS,
    ]);

  it('the more specific stage wins', () => {
    assert.deepEqual(flat(['in_bed', 0, 100], ['asleep', 10, 90], ['awake', 40, 50], ['deep', 60, 70]), [
      ['in_bed', 0, 10],
      ['asleep', 10, 40],
      ['awake', 40, 50],
      ['asleep', 50, 60],
      ['deep', 60, 70],
      ['asleep', 70, 90],
      ['in_bed', 90, 100],
    ]);
  });

  it('awake wins over deep, deep over REM, REM over light, light over asleep, asleep over in bed', () => {
    const order = ['awake', 'deep', 'rem', 'light', 'asleep', 'in_bed'] as const;
    const pairs = order.flatMap((winner, index) => order.slice(index + 1).map((loser) => [winner, loser] as const));
    assert.equal(pairs.length, 15);
    for (const [winner, loser] of pairs) {
      assert.deepEqual(flat([loser, 0, 60], [winner, 30, 80]), [
        [loser, 0, 30],
        [winner, 30, 80],
      ]);
      assert.deepEqual(flat([winner, 0, 60], [loser, 30, 80]), [
        [winner, 0, 60],
        [loser, 60, 80],
      ]);
    }
  });

  it('a stage that is sent twice counts once, and one that others cover is 0, not null', () => {
    const twice = stages(['light', 0, 60], ['light', 0, 60], ['light', 30, 90], ['deep', 60, 90]);
    assert.equal(totalSleep(sleep(0, 90, { stages: twice })).light, 60);
    const covered = totalSleep(sleep(0, 90, { stages: stages(['light', 30, 60], ['deep', 0, 90]) }));
    assert.deepEqual([covered.light, covered.deep, covered.rem, covered.awake], [0, 90, null, null]);
  });

  it('time outside the session does not count', () => {
    assert.deepEqual(flat(['light', -20, 10], ['deep', 95, 130]), [
      ['light', 0, 10],
      ['deep', 95, 100],
    ]);
  });

  it('no minute counts twice, none is lost, and the order of the stages does not matter', () => {
    const anyStage = fc.record({ stage: fc.constantFrom(...SLEEP_STAGES), from: fc.nat(99), length: fc.nat(40) });
    const anyOrder = fc
      .array(anyStage, { maxLength: 12 })
      .chain((list) =>
        fc.tuple(fc.constant(list), fc.shuffledSubarray(list, { minLength: list.length, maxLength: list.length })),
      );
    fc.assert(
      fc.property(anyOrder, ([list, shuffled]) => {
        const rows = (all: typeof list) => all.map((one) => [one.stage, one.from, one.from + one.length] as const);
        const found = flat(
          ...rows(list).map(([stage, start, end]): [SleepStage, number, number] => [stage, start, end]),
        );
        assert.deepEqual(flat(...rows(shuffled).map(([s, a, b]): [SleepStage, number, number] => [s, a, b])), found);
        for (let point = 0; point < 100; point++) {
          const covering = rows(list).filter(([, start, end]) => start <= point && end > point);
          const canonical = found.filter(([, start, end]) => Number(start) <= point && Number(end) > point);
          assert.equal(canonical.length, covering.length === 0 ? 0 : 1);
          const best = STAGE_PRECEDENCE.find((stage) => covering.some(([candidate]) => candidate === stage));
          assert.equal(canonical[0]?.[0], best);
        }
      }),
      { numRuns: 2_000 },
    );
  });

  it('a hundred thousand of them take linear time', () => {
    const many = Array.from({ length: 100_000 }, (_, index) => ({
      stage: 'light' as const,
      start: minute(index / 1_000),
      end: minute(100),
    }));
    assert.deepEqual(flattenStages(many, minute(0), minute(100)), [
      { stage: 'light', start: minute(0), end: minute(100) },
    ]);
  });
});

describe('which sleeps are canonical', () => {
  it('the ring before the watch, unless its night is a fragment', () => {
    const watch = of('watch', sleep(0, 480), 'wrist');
    const canonical = (...list: ReturnType<typeof of>[]) =>
      consolidateSleeps(list, () => true, findSleepDetail).map(({ device }) => device.id);
    assert.deepEqual(canonical(watch, of('ring', sleep(10, 470))), ['ring']);
    assert.deepEqual(canonical(watch, of('ring', sleep(10, 240))), ['watch']);
  });

  it('a globally disabled provider loses its nights and its duplicates', () => {
    const both = [of('watch', sleep(0, 480), 'wrist'), of('ring', sleep(10, 470))];
    const [night, ...others] = consolidateSleeps(both, (provider) => provider !== 'ring', findSleepDetail);
    assert.deepEqual([night?.device.id, night?.duplicates, others], ['watch', [], []]);
  });
});

describe('the date and the main sleep', () => {
  type Candidate = ReturnType<typeof of>;
  const mainOf = (list: Candidate[]) => findMainSleep(list, berlin);
  const marked = (list: Candidate[]) => listMainSessions(list, berlin);

  it('the date is the local day of the end', () => {
    assert.equal(sleepDate(sleep(0, 480), berlin), '2026-01-10');
    assert.equal(sleepDate(sleep(0, 30), berlin), '2026-01-09');
    assert.equal(sleepDate(sleep(0, 30), createZone('Asia/Tokyo')), '2026-01-10');
  });

  it('is_main_sleep: the longest of its date', () => {
    const night = of('a', sleep(0, 400));
    const nap = of('a', sleep(900, 960));
    assert.deepEqual(mainOf([nap, night]), [night]);
    assert.deepEqual(mainOf([]), []);
    assert.deepEqual(marked([]), []);
  });

  it('marks the parts of the night, but not a short fragment', () => {
    const [first, second, fragment] = [of('a', sleep(0, 180)), of('a', sleep(220, 400)), of('a', sleep(430, 445))];
    assert.deepEqual(mainOf([first, second, fragment]), [first, second, fragment]);
    assert.deepEqual(marked([first, second, fragment]), [first, second]);
    assert.deepEqual(marked([fragment]), [fragment], 'a single sleep is the main one, however short');
  });

  it('marks the longest part of a night whose parts are all under an hour', () => {
    const [first, longest, last] = [of('a', sleep(-60, -40)), of('a', sleep(5, 58)), of('a', sleep(100, 130))];
    assert.deepEqual(marked([first, longest, last]), [longest]);
    const [early, equal] = [of('a', sleep(0, 50)), of('a', sleep(60, 110))];
    assert.deepEqual(marked([equal, early]), [early], 'the earlier of equal ones');
  });

  it('sessions of one device less than 90 minutes apart at night are one night, by day less than 60', () => {
    const long = of('b', sleep(700, 1_050));
    const pair = (device: string, ...[first, second]: [number, number][]) =>
      [first, second].map(([start, end] = [0, 0]) => of(device, sleep(start, end)));
    const halves = pair('a', [0, 180], [269, 500]);
    assert.deepEqual(mainOf([long, ...halves]), halves);
    assert.deepEqual(mainOf([long, ...pair('a', [0, 180], [270, 500])]), [long], '90 minutes');
    assert.deepEqual(mainOf([long, of('a', sleep(0, 180)), of('c', sleep(269, 500))]), [long], 'two devices');
    const byDay = pair('a', [720, 900], [959, 1_140]);
    assert.deepEqual(mainOf([of('b', sleep(0, 300)), ...byDay]), byDay);
    const [night, later] = pair('a', [0, 300], [360, 900]);
    assert.deepEqual(mainOf([night, later] as Candidate[]), [later], 'the second is by day');
  });

  it('all parts of a night count toward the day on which it ends', () => {
    const datesOf = (...list: [number, number][]) => {
      const sleeps = list.map(([start, end]) => ({ ...sleep(start, end), device: 'a', id: String(start) }));
      const dates = dateSleeps(sleeps, berlin, () => null);
      return sleeps.map((one) => dates.get(one)?.slice(8));
    };
    assert.deepEqual(datesOf([-30, 40], [80, 480]), ['10', '10']); // 22:30-23:40, 00:20-07:00
    assert.deepEqual(datesOf([80, 480], [-30, 40]), ['10', '10'], 'in any order');
    assert.deepEqual(datesOf([-30, 40], [130, 480]), ['09', '10'], '90 minutes');
    assert.deepEqual(datesOf([-60, 0], [20, 50], [120, 480]), ['10', '10', '10'], 'through a part between them');
    assert.deepEqual(datesOf([-60, 0], [30, 50]), ['09', '09'], 'ended before midnight');
    assert.deepEqual(datesOf([-240, -150], [-90, 480]), ['09', '10'], 'a nap at 19:00, bed at 21:30');
    assert.deepEqual(datesOf([-30, 40], [1_410, 1_480], [1_520, 1_900]), ['09', '11', '11'], 'the next night');
  });

  it('a session inside another of its device does not end the night early', () => {
    const night = [of('a', sleep(0, 300)), of('a', sleep(10, 20)), of('a', sleep(330, 400))];
    assert.deepEqual(mainOf(night), night);
  });

  it('ties: earlier start, then device id', () => {
    const [early, late] = [of('b', sleep(0, 100)), of('a', sleep(300, 400))];
    assert.deepEqual(mainOf([late, early]), [early]);
    assert.deepEqual(
      mainOf([of('b', sleep(0, 100)), of('a', sleep(0, 100))]).map(({ device }) => device.id),
      ['a'],
    );
  });
});

describe('the daily sleep metrics', () => {
  const night = of(
    'ring',
    sleep(0, 480, {
      asleepMinutes: 440,
      deepMinutes: 90,
      lightMinutes: 240,
      remMinutes: 110,
      awakeMinutes: 40,
      inBedMinutes: 480,
      heartRate: 52,
      heartRateVariability: 60,
      skinTemperature: 34,
    }),
  );
  const nap = of('watch', sleep(900, 940, { asleepMinutes: 30, inBedMinutes: 40, heartRate: 70 }), 'wrist');
  const summary = (...list: ReturnType<typeof of>[]) => summarizeSleepDay(DATE, list, berlin);
  const values = (...list: ReturnType<typeof of>[]) => Object.fromEntries(summary(...list).values);

  it('totals include naps; efficiency, timing and vitals describe the main sleep', () => {
    assert.deepEqual(values(nap, night), {
      asleep: 470,
      time_in_bed: 520,
      time_awake: 40,
      light_sleep: 240,
      deep_sleep: 90,
      REM: 110,
      restorative_sleep: 200,
      nap_duration: 30,
      sleep_efficiency: (100 * 440) / 480,
      sleep_start: -60,
      sleep_end: 420,
      sleep_midpoint: 180,
      sleep_heart_rate: 52,
      sleep_heart_rate_variability: 60,
      sleep_skin_temperature: 34,
    });
    const givers = (metric: string) =>
      summary(nap, night)
        .parts(metric as MetricId)
        .map(({ device }) => device);
    assert.deepEqual(givers('asleep'), ['ring', 'watch']);
    assert.deepEqual(givers('nap_duration'), ['watch']);
    assert.deepEqual(givers('sleep_start'), ['ring']);
    assert.equal(summary(nap, night).hrvKind, 'rmssd');
  });

  it('are metrics of the catalog, within its limits', () => {
    for (const [id, value] of summary(nap, night).values) {
      const metric = findMetric(id);
      assert.ok(metric !== null && value >= metric.limits.min && value <= metric.limits.max, id);
    }
  });

  it('null, never 0, if not reported: without naps there is no nap_duration', () => {
    assert.deepEqual(Object.keys(values(of('phone', sleep(0, 480)))), ['sleep_start', 'sleep_end', 'sleep_midpoint']);
    assert.deepEqual(values(), {});
  });

  it('a nap without minutes asleep counts with its duration', () => {
    assert.equal(values(night, of('phone', sleep(900, 925))).nap_duration, 25);
  });

  it('naps add to the values of the night, and never replace it', () => {
    const staged = of('watch', sleep(900, 940, { asleepMinutes: 30, deepMinutes: 10, inBedMinutes: 40 }), 'wrist');
    const unstaged = of('ring', sleep(0, 480));
    assert.deepEqual(Object.keys(values(staged, unstaged)), [
      'nap_duration',
      'sleep_start',
      'sleep_end',
      'sleep_midpoint',
    ]);
    assert.deepEqual([values(staged, night).deep_sleep, values(staged, night).asleep], [100, 470]);
    const parts = summary(staged, unstaged).parts('nap_duration' as MetricId);
    assert.deepEqual(
      parts.map(({ device }) => device),
      ['watch'],
    );
    const seen = (...list: ReturnType<typeof of>[]) =>
      findSeenNight(list, [night], berlin).map(({ device }) => device.id);
    assert.deepEqual(seen(staged), []);
    assert.deepEqual(seen(staged, of('phone', sleep(400, 500))), ['phone']);
  });

  it('sleep_start and sleep_end are local times, even in the night of a clock change', () => {
    const session = sleep(0, 0, { start: at('2026-10-24T21:00:00Z'), end: at('2026-10-25T06:00:00Z') });
    const day = summarizeSleepDay('2026-10-25' as LocalDate, [of('ring', session)], berlin);
    const reported = Object.fromEntries(day.values);
    assert.deepEqual([reported.sleep_start, reported.sleep_end], [-60, 420]);
  });

  it('vitals are averages weighted by duration over the sessions of the main sleep', () => {
    const halves = [of('ring', sleep(0, 300, { heartRate: 50 })), of('ring', sleep(330, 430, { heartRate: 58 }))];
    const reported = values(...halves);
    assert.equal(reported.sleep_heart_rate, 52);
    assert.deepEqual([reported.sleep_start, reported.sleep_end], [-60, 370]);
  });

  it('RMSSD and SDNN are never mixed', () => {
    const day = summary(
      of('ring', sleep(0, 300, { heartRateVariability: 120, hrvKind: 'sdnn' })),
      of('ring', sleep(330, 430, { heartRateVariability: 60, hrvKind: 'rmssd' })),
    );
    assert.equal(Object.fromEntries(day.values).sleep_heart_rate_variability, 60);
    assert.equal(day.hrvKind, 'rmssd');
  });

  it('do not depend on the order of the sleeps', () => {
    const list = [night, nap, of('ring', sleep(500, 560, { heartRate: 49.3 })), of('phone', sleep(1_000, 1_040))];
    fc.assert(
      fc.property(fc.shuffledSubarray(list, { minLength: 4 }), (shuffled) => {
        const [one, other] = [summary(...shuffled), summary(...list)];
        assert.deepEqual([one.values, one.hrvKind], [other.values, other.hrvKind]);
        for (const metric of one.values.keys()) assert.deepEqual(one.parts(metric), other.parts(metric));
      }),
    );
  });
});
