// Simulated users are deterministic, have possible values only, and each device records them differently.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { assertEvery } from '../../../test/support/assert-every.ts';
import { getMetricOrThrow, type MetricId } from '../metrics/index.ts';
import { samplesOfColumns } from '../packed/sample-blocks/index.ts';
import { totalSleep } from '../sleep/index.ts';
import { addDays, type LocalDate } from '../time/calendar.ts';
import { createZone } from '../time/day.ts';
import { HOUR_MS, MINUTE_MS } from '../time/durations.ts';
import {
  type DayStory,
  type DeviceRecords,
  drawPerson,
  inputsOfDay,
  type LivedDay,
  listRingGaps,
  listSleepNames,
  listWatchGaps,
  listWorkoutNames,
  liveDay,
  liveJourney,
  ORDINARY_DAY,
  recordDays,
  SAMPLED_METRICS,
  SANDBOX_DEVICES,
} from './index.ts';

const IDS = Array.from({ length: 12 }, (_, index) => `0190a000-0000-7000-8000-0000000000${10 + index}`);
const FIRST = '2026-03-02' as LocalDate; // a Monday
const berlin = createZone('Europe/Berlin');

function live(id: string, date: LocalDate, story: Partial<DayStory> = {}, zone = berlin): LivedDay {
  return liveDay({ person: drawPerson(id), date, zone, storyOf: () => ({ ...ORDINARY_DAY, ...story }) });
}

function liveWeek(id: string, from = FIRST, zone = berlin): LivedDay[] {
  return Array.from({ length: 7 }, (_, days) => live(id, addDays(from, days), {}, zone));
}

function listSamples(records: DeviceRecords, metric: string) {
  const columns = records.samples.get(metric as MetricId);
  return columns === undefined ? [] : samplesOfColumns(columns);
}

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);
const stepsOf = (records: DeviceRecords) => sum(listSamples(records, 'steps').map(({ value }) => value));

describe('a day of the sandbox', () => {
  it('is the same when it is generated again, alone or with others', () => {
    for (const id of IDS.slice(0, 4)) {
      const week = liveWeek(id);
      for (const device of SANDBOX_DEVICES) {
        assert.deepEqual(recordDays(device, liveWeek(id)), recordDays(device, week));
        const alone = recordDays(device, [live(id, addDays(FIRST, 3))]);
        const from = berlin.dayOf(addDays(FIRST, 3));
        const among = recordDays(device, week);
        for (const metric of alone.samples.keys()) {
          const inDay = listSamples(among, metric).filter(({ start }) => start >= from.start && start < from.end);
          assert.deepEqual(listSamples(alone, metric), inDay, `${device} ${metric}`);
        }
        const keys = new Set([...alone.sleep, ...alone.workouts].map(({ key }) => key));
        assert.deepEqual(
          alone.sleep,
          among.sleep.filter(({ key }) => keys.has(key)),
        );
        assert.deepEqual(
          alone.workouts,
          among.workouts.filter(({ key }) => keys.has(key)),
        );
      }
    }
  });

  it('differs between users and between days', () => {
    const steps = IDS.flatMap((id) => liveWeek(id).map((day) => stepsOf(recordDays('watch', [day]))));
    assert.ok(new Set(steps).size > 0.95 * steps.length);
    assert.ok(new Set(IDS.map((id) => drawPerson(id).restingBpm)).size > IDS.length / 2);
  });

  it('uses the values of the profile', () => {
    const person = drawPerson(IDS[0] ?? '', {
      sex: 'female',
      ageYears: 31,
      weightKg: 64.5,
      heightCm: 172,
      maxBpm: 188,
    });
    const { sex, ageYears, weightKg, heightCm, maxBpm } = person;
    assert.deepEqual([sex, ageYears, weightKg, heightCm, maxBpm], ['female', 31, 64.5, 172, 188]);
  });

  it('has possible numbers, in order, of the metrics it may send', () => {
    for (const id of IDS)
      for (const device of SANDBOX_DEVICES) {
        const records = recordDays(device, liveWeek(id));
        for (const [metric, { starts, ends }] of records.samples) {
          assert.ok(SAMPLED_METRICS[device].includes(metric), `${device} ${metric}`);
          assertEvery(starts, (start, index) => index === 0 || start > (starts[index - 1] ?? 0), `${device} ${metric}`);
          if (ends !== null) assertEvery(ends, (end, index) => end - (starts[index] ?? 0) <= HOUR_MS);
          const { usual, unit: wanted } = getMetricOrThrow(metric);
          for (const { value, unit } of listSamples(records, metric)) {
            assert.equal(unit, wanted);
            const [min, max] = wanted === 'kcal' || wanted === 'count' ? [0, usual.max] : [usual.min, usual.max];
            assert.ok(value >= min && value <= max, `${device} ${metric} ${value}`);
          }
        }
        for (const { metric, value } of records.daily) {
          const { min, max } = getMetricOrThrow(metric).usual;
          assert.ok(value >= min && value <= max, `${metric} ${value}`);
        }
      }
  });

  it('has strain on every ordinary day, even for the fittest', () => {
    const HRV_SERIES = { ring: 'sleep_rmssd/1', watch: 'sleep_rmssd/2' };
    for (const id of Array.from({ length: 250 }, (_, index) => `p${index + 700}`))
      for (const day of liveWeek(id, '2026-03-26' as LocalDate)) {
        const strain = inputsOfDay(day, HRV_SERIES).carried?.strain ?? 0;
        assert.ok(strain >= 1, `${id} ${day.date}: ${strain}`);
      }
  });

  it('follows clock changes: 23 hours, 25 hours, and a night that ends at a local time', () => {
    for (const [date, hours] of [
      ['2026-03-28', 24],
      ['2026-03-29', 23],
      ['2026-10-25', 25],
    ] as const) {
      const day = live(IDS[1] ?? '', date as LocalDate);
      assert.equal(day.bpm.length, hours * 60);
      const watch = recordDays('watch', [day]);
      assert.equal(listSamples(watch, 'resting_energy').length, hours);
      const night = day.sleeps.find(({ kind }) => kind === 'night');
      const woke = berlin.wallMinutes(night?.end ?? 0, day.date);
      assert.ok(woke > 5 * 60 && woke < 11 * 60, `${date} ${woke}`);
    }
    const offsets = listSamples(recordDays('watch', [live(IDS[1] ?? '', '2026-03-29' as LocalDate)]), 'heart_rate');
    assert.deepEqual([...new Set(offsets.map(({ offsetMinutes }) => offsetMinutes))], [60, 120]);
  });

  it('has a low heart rate at night, and weekends that differ from workdays', () => {
    const mean = (values: readonly number[]) => sum(values) / values.length;
    for (const id of IDS.slice(0, 5)) {
      const hearts = listSamples(recordDays('watch', liveWeek(id)), 'heart_rate');
      const between = (from: number, to: number) =>
        hearts.filter(({ start }) => {
          const minutes = berlin.wallMinutes(start, berlin.dayAt(start).date);
          return minutes >= from * 60 && minutes < to * 60;
        });
      const [night, day] = [between(3, 5), between(10, 17)].map((some) => mean(some.map(({ value }) => value)));
      assert.ok((day ?? 0) - (night ?? 0) > 10, `${id} ${night} ${day}`);
    }
    const bedtimes = (dates: readonly number[]) =>
      IDS.map((id) => mean(dates.map((days) => nightStart(live(id, addDays(FIRST, days))))));
    const [late, early] = [bedtimes([5, 6, 12, 13]), bedtimes([1, 2, 3, 4])];
    assert.ok(mean(late) - mean(early) > 15, 'nights before free days begin later');
  });
});

function nightStart(day: LivedDay): number {
  return berlin.wallMinutes(day.sleeps.find(({ kind }) => kind === 'night')?.start ?? 0, day.date);
}

describe('three devices', () => {
  it('record differently: steps, nights, and a run that two of them have', () => {
    for (const id of IDS) {
      const week = liveWeek(id);
      const [ring, watch, phone] = SANDBOX_DEVICES.map((device) => recordDays(device, week)) as [
        DeviceRecords,
        DeviceRecords,
        DeviceRecords,
      ];
      assert.ok(stepsOf(phone) < 0.9 * stepsOf(watch), 'the phone is not carried at times');
      assert.ok(stepsOf(phone) > 0.2 * stepsOf(watch), 'and is carried at others');
      const nights = (records: DeviceRecords) => records.sleep.filter(({ key }) => key.startsWith('night'));
      assert.ok(nights(ring).length >= 6);
      assert.equal(nights(watch).length, 6, 'one night on the charger');
      const died = nights(watch).filter((night) => night.end - night.start < 5 * HOUR_MS);
      assert.equal(died.length, 1, 'and one without power');
      assert.equal(phone.sleep.length, 0);
      const both = nights(watch).filter(({ key }) => nights(ring).some((night) => night.key === key));
      for (const night of both) {
        const other = nights(ring).find(({ key }) => key === night.key);
        assert.ok(other !== undefined);
        assert.notDeepEqual(totalSleep(night), totalSleep(other));
      }
      assertEvery(watch.workouts, ({ heartRateSamples }) => (heartRateSamples?.length ?? 0) > 60);
    }
    const shared = recordDays(
      'phone',
      IDS.flatMap((id) => live(id, FIRST, { hasSharedRun: true })),
    );
    assert.equal(shared.workouts.length, IDS.length);
    const naps = IDS.flatMap((id) => recordDays('ring', liveWeek(id)).sleep.filter(({ key }) => key.startsWith('nap')));
    assert.ok(naps.length > 0);
  });

  it('stages cover a night from its start to its end', () => {
    for (const device of ['ring', 'watch'] as const)
      for (const { start, end, stages } of recordDays(device, liveWeek(IDS[2] ?? '')).sleep) {
        assert.deepEqual([stages?.[0]?.start, stages?.at(-1)?.end], [start, end]);
        assertEvery(stages ?? [], (stage, index) => index === 0 || stage.start === stages?.[index - 1]?.end);
      }
  });

  it('a fever shows in the night, a gap shows only on the phone', () => {
    const id = IDS[3] ?? '';
    const date = addDays(FIRST, 8);
    const [well, ill] = [live(id, date), live(id, date, { illness: 1 })].map(({ condition }) => condition);
    assert.ok((ill?.restingBpm ?? 0) - (well?.restingBpm ?? 0) > 4);
    assert.ok((ill?.hrvMs ?? 0) < 0.75 * (well?.hrvMs ?? 0));
    assert.ok((ill?.temperatureDeviationC ?? 0) > 0.5);
    const gap = live(id, date, { isRingOff: true, isWatchOff: true });
    const isSilent = ({ samples, sleep, workouts }: DeviceRecords) =>
      samples.size + sleep.length + workouts.length === 0;
    assert.ok(isSilent(recordDays('ring', [gap])) && isSilent(recordDays('watch', [gap])));
    assert.ok(!isSilent(recordDays('phone', [gap])));
  });
});

describe('a run with watch and phone', () => {
  it('has the watch on the wrist all day, for every user and date', () => {
    const week = Array.from({ length: 7 }, (_, days) => addDays(FIRST, days));
    const gapsOf = (story: Partial<DayStory>) =>
      IDS.flatMap((id) => week.flatMap((date) => listWatchGaps(live(id, date, story))));
    assert.ok(gapsOf({}).length >= 2 * IDS.length, 'otherwise nothing is tested');
    assert.deepEqual(gapsOf({ hasSharedRun: true }), []);
  });
});

describe('an illness', () => {
  const userIds = Array.from({ length: 24 }, (_, index) => `0190a000-0000-7000-8000-0000000001${10 + index}`);
  const dates = Array.from({ length: 14 }, (_, days) => addDays(FIRST, days)); // long enough that a ring has to be charged
  const listNightsOf = (story: Partial<DayStory>) =>
    userIds.flatMap((id) => dates.map((date) => recordDays('ring', [live(id, date, story)])));
  const deviationsOf = (records: DeviceRecords) =>
    listSamples(records, 'sleep_temperature_deviation').map(({ value }) => value);

  it('is recorded by the ring on each of its nights, for every user and date', () => {
    const charging = listNightsOf({}).filter((records) => deviationsOf(records).length === 0);
    assert.ok(charging.length >= userIds.length / 2, `${charging.length} nights without the ring`);
    for (const records of listNightsOf({ illness: 1 })) {
      const [deviation = 0, ...others] = deviationsOf(records);
      assert.ok(deviation > 0.5 && others.length === 0, `${deviation} ${others}`);
      assert.equal(records.sleep.filter(({ key }) => key.startsWith('night')).length, 1);
    }
  });

  it('keeps the ring on from the evening before its first night', () => {
    const first = dates.find((date) => deviationsOf(recordDays('ring', [live(IDS[0] ?? '', date)])).length === 0);
    assert.ok(first !== undefined);
    const gapsOf = (illness: number) => {
      const storyOf = (date: LocalDate) => ({ ...ORDINARY_DAY, illness: date === first ? illness : 0 });
      const evening = liveDay({ person: drawPerson(IDS[0] ?? ''), date: addDays(first, -1), zone: berlin, storyOf });
      return listRingGaps(evening).length;
    };
    assert.deepEqual([gapsOf(0), gapsOf(0.5)], [1, 0]);
  });
});

describe('a journey', () => {
  it('fills the days from the flight to the end in local time, in any zone', () => {
    for (const name of ['Europe/Berlin', 'Pacific/Auckland', 'America/Los_Angeles', 'Asia/Tokyo', 'UTC']) {
      const home = createZone(name);
      const first = FIRST;
      const untilMs = home.dayOf(addDays(FIRST, 2)).end - 85 * MINUTE_MS;
      const journey = liveJourney(drawPerson(IDS[2] ?? ''), home, first, untilMs);
      assert.equal(journey.days[0]?.fromMs, home.dayOf(first).start);
      assert.equal(journey.days.at(-1)?.toMs, untilMs);
      assertEvery(journey.days, ({ fromMs }, index) => index === 0 || journey.days[index - 1]?.toMs === fromMs);
      const watch = recordDays('watch', journey.days);
      for (const { starts } of watch.samples.values())
        assertEvery(starts, (start, index) => index === 0 || start > (starts[index - 1] ?? 0));
      const nights = recordDays('ring', journey.days).sleep;
      assert.ok(nights.length >= 2, `${name}: ${nights.length} nights`);
      for (let index = 1; index < nights.length; index++)
        assert.ok((nights[index]?.start ?? 0) >= (nights[index - 1]?.end ?? 0), `${name}: sleeps do not overlap`);
      const names = [0, 1, 2].flatMap((days) => listSleepNames(addDays(first, days)));
      assertEvery(nights, ({ key }) => names.includes(key));
      const sports = [0, 1, 2].flatMap((days) => listWorkoutNames(addDays(first, days)));
      assertEvery(watch.workouts, ({ key }) => sports.includes(key));
    }
  });
});

describe('a hidden day', () => {
  it('gives scores the same inputs as its devices would have', () => {
    for (const day of liveWeek(IDS[5] ?? '')) {
      const inputs = inputsOfDay(day, { ring: 'sleep_rmssd/1', watch: 'sleep_rmssd/2' });
      const ring = recordDays('ring', [day]);
      const night = ring.sleep.find(({ key }) => key.startsWith('night'));
      if (night !== undefined) {
        assert.equal(inputs.mainSleep?.asleep, totalSleep(night).asleep);
        assert.deepEqual(inputs.hrv[0], { series: 'sleep_rmssd/1', ms: night.heartRateVariability });
      }
      assert.ok(inputs.still.length >= 8 && inputs.heart !== null);
      assert.ok((inputs.values.dietary_energy ?? 0) > 1_000);
      assert.ok((inputs.carried?.strain ?? 0) > 0 && (inputs.carried?.energyReserve ?? 0) > 10);
    }
  });
});
