import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { addDays } from '../../shared/time/dates.ts';
import { concernsDay } from './concerns-day.ts';
import { type DayValue, firstMetric, groupValues } from './group-values.ts';
import { layOutRiver, placeText } from './layout.ts';
import { listBars } from './list-bars.ts';
import { listCovered } from './list-covered.ts';
import { placeDots } from './place-dots.ts';
import { readQuarter } from './read-quarter.ts';
import { openRiver, type RiverReply, type TotalBand } from './river-model.ts';
import { splitLevels } from './split-levels.ts';
import { findFirstQuarter, findUncounted } from './uncounted.ts';
import { writeCurl } from './write-curl.ts';

const DAY = '2026-03-10';
const quarters = (values: Readonly<Record<number, number>>) =>
  Array.from({ length: 96 }, (_, index) => values[index] ?? null);

/** A night before midnight, heart rate of one watch, steps of a watch and a phone. */
const REPLY = {
  date: DAY,
  zone: 'UTC',
  hours: 24,
  from: '2026-03-09T22:00:00Z',
  day_start: '2026-03-10T00:00:00Z',
  to: '2026-03-11T00:00:00Z',
  sleeps: [
    {
      id: 's1',
      device: 1,
      start: '2026-03-09T22:00:00Z',
      end: '2026-03-10T06:00:00Z',
      date: DAY,
      is_main: true,
      is_counted: true,
      stages: [
        { stage: 'light', offset_s: 0, length_s: 300 },
        { stage: 'deep', offset_s: 300, length_s: 600 },
      ],
    },
  ],
  workouts: [
    {
      id: 'w1',
      device: 1,
      start: '2026-03-10T08:00:00Z',
      end: '2026-03-10T08:30:00Z',
      name: null,
      sport_type: 'trail_running',
      is_counted: true,
    },
  ],
  metrics: [
    {
      metric: 'heart_rate',
      name: 'Heart rate',
      unit: 'bpm',
      decimals: 0,
      kind: 'level',
      method: 'priority',
      order: [1],
      sources: [
        { device: 1, quarters: 1 },
        { device: null, quarters: 103 },
      ],
      devices: [
        {
          device: 1,
          samples: { t0: Date.parse('2026-03-09T22:00:00Z') / 1_000, dt: [0, 60, 900], v: [60, 70, 90] },
        },
      ],
    },
    {
      metric: 'steps',
      name: 'Steps',
      unit: 'count',
      decimals: 0,
      kind: 'total',
      method: 'priority',
      order: [1, 2],
      sources: [
        { device: null, quarters: 32 },
        { device: 1, quarters: 1 },
        { device: null, quarters: 63 },
      ],
      devices: [
        { device: 1, quarter_hours: { measured: quarters({ 32: 500 }), counted: quarters({ 32: 500 }) } },
        { device: 2, quarter_hours: { measured: quarters({ 32: 480, 60: 1_364, 61: 200 }), counted: quarters({}) } },
      ],
    },
  ],
  available: [],
} as unknown as RiverReply;

const river = openRiver(REPLY);
const steps = river.bands[1] as TotalBand;
/** The river begins two hours before the day. */
const NOON = 8 + 48;

describe('the river of a day', () => {
  it('counts quarter hours from its start, before midnight', () => {
    assert.deepEqual([river.quarters, steps.sources.length, steps.devices[0]?.measured.length], [104, 104, 104]);
    assert.equal(steps.devices[0]?.measured[8 + 32], 500);
  });

  it('opens sleeps with stages, names workouts by their sport, and adds up times of samples', () => {
    assert.deepEqual(
      river.sleeps[0]?.stages?.map(({ stage, endMs, startMs }) => [stage, endMs - startMs]),
      [
        ['light', 300_000],
        ['deep', 600_000],
      ],
    );
    assert.equal(river.workouts[0]?.name, 'Trail running');
    const [heart] = river.bands;
    assert.ok(heart?.kind === 'level');
    assert.deepEqual(
      heart.devices[0]?.points.times.map((time) => time - river.fromMs),
      [0, 60_000, 960_000],
    );
  });

  it('reads a quarter hour: the longest stage, the mean of levels, and what is counted', () => {
    const first = readQuarter(river, 0);
    assert.equal(first.stage, 'deep');
    assert.deepEqual(first.bands[0]?.readings, [{ device: 1, value: 65, isCounted: true }]);
    const morning = readQuarter(river, 8 + 32);
    assert.equal(morning.workout, 'Trail running');
    assert.deepEqual(morning.bands[1]?.readings, [
      { device: 1, value: 500, isCounted: true },
      { device: 2, value: 480, isCounted: false },
    ]);
    assert.deepEqual(readQuarter(river, NOON).bands[1]?.readings, []);
  });

  it('finds what no source counts, and opens on its largest quarter hour', () => {
    assert.deepEqual(findUncounted(steps), { amount: 1_564, device: 2, quarter: 8 + 60 });
    assert.equal(findFirstQuarter(river), 8 + 60);
    const counted = { ...steps, devices: steps.devices.slice(0, 1) };
    assert.equal(findFirstQuarter({ ...river, bands: [counted] }), 8 + 32);
    assert.equal(findFirstQuarter({ ...river, bands: [] }), 52);
  });

  it('draws bars that add up to what was measured', () => {
    for (const { device, counted, notCounted } of listBars(steps)) {
      const sum = [...counted, ...notCounted].reduce((total, { amount }) => total + amount, 0);
      assert.equal(sum, device === 1 ? 500 : 2_044);
    }
  });

  it('splits a line where its device is the source and where it is not', () => {
    const { counted, others } = splitLevels({ times: [0, 900_000], values: [60, 90] }, 1, [1, null], 0);
    assert.deepEqual([counted.values, others.values], [[60], [90]]);
  });

  it('places bands below each other, and names above them in a narrow window', () => {
    const [wide, narrow] = [layOutRiver(river, 900), layOutRiver(river, 380)];
    assert.deepEqual([wide.isNarrow, narrow.isNarrow, narrow.left], [false, true, 0]);
    const tops = wide.bands.map(({ top, height }) => [top, top + height]);
    assert.ok((tops[0]?.[1] ?? 0) < (tops[1]?.[0] ?? 0));
    assert.ok(narrow.height > wide.height);
    assert.equal(wide.x(river.toMs), wide.right);
  });

  it('puts a text after its bar, before it, or at the right edge', () => {
    const edges = { left: 100, right: 900 };
    assert.deepEqual(placeText('Forerunner 265', 200, 400, edges), { x: 406, textAnchor: 'start' });
    assert.deepEqual(placeText('Forerunner 265', 700, 850, edges), { x: 694, textAnchor: 'end' });
    assert.deepEqual(placeText('Forerunner 265', 120, 880, edges), { x: 900, textAnchor: 'end' });
  });
});

describe('the values of a day', () => {
  const value = (metric: string, values: readonly number[], more: Partial<DayValue> = {}): DayValue =>
    ({
      metric,
      name: metric,
      category: 'activity',
      unit: 'count',
      value: values[0] ?? null,
      candidates: values.map((one, device) => ({ device, value: one, contributed: device === 0 ? one : null })),
      ...more,
    }) as unknown as DayValue;
  const VALUES = [
    value('floors', [6]),
    value('distance', [10, 9]),
    value('steps', [100, 300]),
    value('asleep', [400, 401], { unit: 'min_of_day', category: 'sleep' }),
  ];

  it('are grouped: largest disagreement first, rounding is none', () => {
    assert.deepEqual(
      groupValues(VALUES, '').map(({ title, values }) => [title, values.map(({ metric }) => metric)]),
      [
        ['Sources disagree', ['steps', 'distance']],
        ['Activity', ['floors']],
        ['Sleep', ['asleep']],
      ],
    );
    assert.equal(groupValues(VALUES, ' FLO ').length, 1);
  });

  it('open with steps if devices disagree on them, else with the first', () => {
    assert.equal(firstMetric(VALUES), 'steps');
    assert.equal(firstMetric(VALUES.slice(0, 1)), 'floors');
    assert.equal(firstMetric([]), null);
  });

  it('stand on a line between their extremes, counted ones above', () => {
    const { dots, result } = placeDots(VALUES[2] as DayValue, 130);
    assert.deepEqual(
      dots.map(({ x }) => x),
      [115, 15],
    );
    assert.equal(result, 15);
  });
});

describe('a day', () => {
  it('is followed and preceded across months and leap years', () => {
    assert.deepEqual([addDays('2026-03-01', -1), addDays('2028-02-28', 1)], ['2026-02-28', '2028-02-29']);
  });

  it('has covered half hours as runs', () => {
    assert.deepEqual(listCovered('c01'), [
      { from: 0, to: 2 },
      { from: 11, to: 12 },
    ]);
    assert.deepEqual(listCovered(''), []);
  });

  it('is refreshed by new data of the user and day only', () => {
    const event = { type: 'data.updated', user_id: 'u', from_date: '2026-03-09', to_date: '2026-03-11' } as const;
    const day = { userId: 'u', date: DAY };
    assert.equal(concernsDay(event, day), true);
    assert.equal(concernsDay({ ...event, to_date: '2026-03-09' }, day), false);
    assert.equal(concernsDay({ ...event, user_id: 'other' }, day), false);
    assert.equal(concernsDay({ ...event, type: 'score.updated' }, day), false);
    assert.equal(concernsDay({ ...event, type: 'subject.synced', from_date: null, to_date: null }, day), true);
  });

  it('is a call without the key', () => {
    assert.equal(
      writeCurl('http://127.0.0.1:8080', 'u', 'from_date=a'),
      'curl -H "Authorization: Bearer $TRIBUTARY_API_KEY" \\\n  "http://127.0.0.1:8080/v1/users/u/daily?from_date=a"',
    );
  });
});
