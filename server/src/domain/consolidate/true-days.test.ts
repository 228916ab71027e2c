// Which way of dividing samples across midnight is closest to the days that really happened? Like true-day.test.ts, for
// two consecutive days: a watch with fine intervals, and a phone or a ring with intervals of hours, one of them across
// midnight.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createZone } from '../time/day.ts';
import { HOUR_MS } from '../time/durations.ts';
import { listHours, mergeDay } from './merge-day.ts';
import { openSeriesDays } from './series-days.ts';
import { type Report, type SimulatedPair, simulatePairs } from './true-day.simulation.ts';

/** The steps of each day. */
type Rule = (pair: SimulatedPair) => number[];

const utc = createZone(null);
const sum = (values: Iterable<number>) => [...values].reduce((total, value) => total + value, 0);

const merged =
  (change: (report: Report) => Report = (report) => report): Rule =>
  ({ days, reports }) => {
    const seriesDays = openSeriesDays(
      reports.map(change).map(({ samples, heartRateTimes }) => ({
        series: samples,
        wornHoursOf(date) {
          const { start, end } = utc.dayOf(date);
          return listHours(heartRateTimes, start, end);
        },
      })),
      utc,
    );
    return days.map(({ start }) => {
      const day = mergeDay(seriesDays.read(utc.dayAt(start)));
      return sum(day.quarters().map((quarter) => day.amountOf(quarter)));
    });
  };

/** Cuts each sample that crosses a midnight in two by time, so that the days do not affect each other. */
function cutAtMidnights(report: Report): Report {
  const rows: [start: number, end: number, value: number][] = [];
  for (const [index, start] of Array.from(report.samples.starts).entries()) {
    const end = report.samples.ends?.[index] as number;
    const value = report.samples.values[index] as number;
    for (let from = start; from < end; ) {
      const to = Math.min(end, utc.dayAt(from).end);
      rows.push([from, to, (value * (to - from)) / (end - start)]);
      from = to;
    }
  }
  return {
    ...report,
    samples: {
      starts: rows.map(([start]) => start),
      ends: rows.map(([, end]) => end),
      values: rows.map(([, , value]) => value),
    },
  };
}

/** The amounts of a report on each day, by time. */
const totalsOf = ({ days }: SimulatedPair, report: Report) => {
  const { starts, values } = cutAtMidnights(report).samples;
  return days.map(({ start, end }) =>
    sum(Array.from(values).filter((_, index) => (starts[index] as number) >= start && (starts[index] as number) < end)),
  );
};

const RULES = {
  'the rule': merged(),
  'each day by itself': merged(cutAtMidnights),
  'the device that ranks first': (pair) => totalsOf(pair, pair.reports[0] as Report),
  'the watch': (pair) => totalsOf(pair, pair.reports.find(({ pieceMs }) => pieceMs <= HOUR_MS) as Report),
  'the largest device': (pair) => {
    const totals = pair.reports.map((report) => totalsOf(pair, report));
    return pair.days.map((_, day) => Math.max(...totals.map((ofReport) => ofReport[day] as number)));
  },
} satisfies Record<string, Rule>;
type RuleName = keyof typeof RULES;

const NAMES = Object.keys(RULES) as RuleName[];
const pairs = simulatePairs(1_500).map((pair) => ({
  ...pair,
  found: new Map(NAMES.map((name) => [name, RULES[name](pair)])),
}));
type FindError = (pair: SimulatedPair, found: readonly number[]) => number;

function meanErrors(findError: FindError): Record<RuleName, number> {
  const means = NAMES.map((name) => {
    const mean = sum(pairs.map((pair) => findError(pair, pair.found.get(name) ?? []))) / pairs.length;
    return [name, Math.round(mean * 10_000) / 100];
  });
  return Object.fromEntries(means);
}

describe('two merged days with a sample across midnight, compared with the days that really happened', () => {
  const compare = (name: string, findError: FindError) =>
    it(`the rule is closer than other rules: ${name}`, (test) => {
      const errors = meanErrors(findError);
      test.diagnostic(`${pairs.length} pairs, mean error in percent: ${JSON.stringify(errors)}`);
      const { 'the rule': ours } = errors;
      for (const other of NAMES)
        if (other !== 'the rule') assert.ok(ours < errors[other], `${other}: ${errors[other]}, the rule: ${ours}`);
    });

  compare('each day', ({ days }, found) => {
    const errors = days.map(({ trueSteps }, day) => Math.abs((found[day] as number) - trueSteps) / trueSteps);
    return sum(errors) / days.length;
  });
  compare('both days together', ({ days }, found) => {
    const truth = sum(days.map(({ trueSteps }) => trueSteps));
    return Math.abs(sum(found) - truth) / truth;
  });
});
