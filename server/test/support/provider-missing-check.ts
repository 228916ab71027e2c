// Removes every field of every fixture, one at a time: the result may have fewer values, but never an invented one.
import assert from 'node:assert/strict';
import { type CloudProvider, ProviderAnswerError } from '../../src/providers/contract.ts';
import type { ProviderRecords } from '../../src/providers/provider-records.ts';
import { type FixturePage, mapPage, type ProviderFixtures } from './provider-fixture.ts';
import { listReported } from './reported-samples.ts';

type Position = readonly (string | number)[];

/**
 * Values that get smaller: Garmin's night without stages ends after the time asleep and awake, Polar sums up stages, and Concept2 reports
 * the end of a workout with its work and rest, and Suunto's workout has the duration without pauses.
 */
const MAY_SHORTEN: readonly (readonly [field: string, name: string])[] = [
  ['awakeDurationInSeconds', 'end'],
  ['unrecognized_sleep_stage', 'asleepMinutes'],
  ['rest_time', 'start'],
  ['stopTime', 'end'],
];
/** The first entries of a list represent the others. */
const ENTRIES = 4;

export function checkMissing(provider: CloudProvider, { pages }: ProviderFixtures): void {
  for (const page of pages) {
    const whole = listNumbers(mapPage(provider, page));
    const reported = { body: page.body, calledBy: page.calledBy };
    for (const position of listPositions(reported))
      for (const without of [nullAt, removedAt])
        compare(provider, { ...page, ...(without(reported, position) as typeof reported) }, whole, position.join('.'));
  }
}

function compare(provider: CloudProvider, page: FixturePage, whole: Map<string, number>, position: string): void {
  let records: ProviderRecords;
  try {
    records = mapPage(provider, page);
  } catch (error) {
    assert.ok(error instanceof ProviderAnswerError, `${page.resource} without ${position}: ${error}`);
    return;
  }
  for (const [name, value] of listNumbers(records)) {
    const what = `${page.resource} without ${position}: ${name} is ${value}`;
    assert.ok(Number.isFinite(value), what);
    // No value becomes 0, and a session's total never becomes a partial sum.
    const mayShorten = MAY_SHORTEN.some(([field, part]) => position.endsWith(field) && name.endsWith(` ${part}`));
    const change = value - (whole.get(name) ?? value);
    if (mayShorten) assert.ok(name.endsWith(' start') ? change >= 0 : change <= 0, what);
    else if (value === 0 || name.startsWith('session')) assert.equal(whole.get(name) ?? value, value, what);
    if (value === 0) assert.ok(whole.has(name), what);
  }
}

/** Of each record, by its identity. */
function listNumbers({ samples, daily, sleep, workouts }: ProviderRecords): Map<string, number> {
  const numbers = new Map<string, number>();
  for (const metric of samples.keys())
    for (const { start, value } of listReported({ samples }, metric)) numbers.set(`${metric} ${start}`, value);
  for (const { metric, date, value } of daily) numbers.set(`${metric} ${date}`, value);
  for (const session of [...sleep, ...workouts])
    for (const [name, value] of Object.entries(session))
      if (value === undefined || (typeof value === 'number' && name !== 'offsetMinutes'))
        numbers.set(`session ${session.key} ${name}`, value ?? Number.NaN);
  return numbers;
}

function listPositions(value: unknown, position: Position = []): Position[] {
  if (typeof value !== 'object' || value === null) return position.length > 1 ? [position] : [];
  const entries = Array.isArray(value) ? [...value.entries()].slice(0, ENTRIES) : Object.entries(value);
  const inside = entries.flatMap(([name, part]) => listPositions(part, [...position, name]));
  return position.length > 1 && !Array.isArray(value) ? [position, ...inside] : inside;
}

function nullAt(whole: unknown, position: Position): unknown {
  return changeAt(whole, position, (holder, name) => {
    holder[name] = null;
  });
}

function removedAt(whole: unknown, position: Position): unknown {
  return changeAt(whole, position, (holder, name) => {
    if (Array.isArray(holder)) holder.splice(Number(name), 1);
    else delete holder[name];
  });
}

function changeAt(
  whole: unknown,
  position: Position,
  change: (holder: Record<string | number, unknown>, name: string | number) => void,
): unknown {
  const copy = structuredClone(whole);
  let holder = copy as Record<string | number, unknown>;
  for (const name of position.slice(0, -1)) holder = holder[name] as Record<string | number, unknown>;
  change(holder, position.at(-1) ?? '');
  return copy;
}
