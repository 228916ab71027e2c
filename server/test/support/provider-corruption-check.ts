// Puts wrong values into every field of every fixture, one at a time. A bad field costs no more than what it says itself; a bad
// record costs no more than that record.
import assert from 'node:assert/strict';
import type { CloudProvider } from '../../src/providers/contract.ts';
import {
  copyWith,
  copyWithout,
  isEntryName,
  type JsonPath,
  keepOnly,
  listPaths,
  listRecordPaths,
  valueAt,
} from './json-paths.ts';
import { ESSENTIAL_FIELDS } from './provider-essential-fields.ts';
import type { FixturePage, ProviderFixtures } from './provider-fixture.ts';
import { type Outcome, readOutcome } from './provider-outcome.ts';

/** What a field may hold instead; beside these it may be missing. */
const WRONG_VALUES: readonly unknown[] = [
  null,
  'nonsense',
  '',
  'NaN',
  'Infinity',
  '-Infinity',
  -1,
  1e300,
  9_007_199_254_740_992,
  true,
  {},
  { nonsense: 1 },
  [],
  ['nonsense'],
];
/** More of them would not be read. */
const SHOWN = 10;

export function checkCorrupted(provider: CloudProvider, { pages }: ProviderFixtures): void {
  for (const page of pages) {
    const { tried, found, spared } = corruptPage(provider, page);
    assert.deepEqual(found.slice(0, SHOWN), [], `${page.resource}: ${found.length} problems`);
    assert.ok(tried > WRONG_VALUES.length, `nothing of ${page.resource} was corrupted`);
    const isStored = [...readOutcome(provider, page).keys()].some((key) => !key.endsWith(' isAsked'));
    assert.ok(!isStored || spared.size > 0, `nothing of ${page.resource} is held to be independent of other fields`);
  }
}

/** `spared`: values that some field says by itself, and that no other field may cost. */
type Result = { readonly tried: number; readonly found: readonly string[]; readonly spared: ReadonlySet<string> };

/** A page whose records are corrupted one after the other. */
type Trial = {
  readonly told: Readonly<Record<string, unknown>>;
  readonly whole: Outcome;
  /** Null: it threw. */
  readonly outcomeOf: (told: unknown) => Outcome | null;
  readonly needed: readonly (readonly string[])[];
};

export function corruptPage(provider: CloudProvider, { resource, zone, ...answers }: FixturePage): Result {
  const page = { resource, ...(zone !== undefined && { zone }) };
  const outcomeOf = (told: unknown) => {
    try {
      return readOutcome(provider, { ...page, ...(told as typeof answers) });
    } catch {
      return null;
    }
  };
  const whole = readOutcome(provider, { ...page, ...answers });
  const trial: Trial = { told: answers, whole, outcomeOf, needed: listEssential(provider.id, resource) };
  const results = listRecordPaths(answers).map((record) => corruptRecord(trial, record));
  return {
    tried: results.reduce((sum, { tried }) => sum + tried, 0),
    found: results.flatMap(({ found }) => found).map((problem) => `${resource}: ${problem}`),
    spared: new Set(results.flatMap(({ spared }) => [...spared])),
  };
}

type Change = { readonly what: string; readonly changed: unknown; readonly kept: Outcome };

function corruptRecord(trial: Trial, record: JsonPath): Result {
  const { told, whole, outcomeOf } = trial;
  const others = shared(whole, outcomeOf(copyWithout(told, record)));
  const fields = listPaths(valueAt(told, record)).map((path) => [...record, ...path]);
  const needed = fields.filter((path) => matches(path.slice(record.length), trial.needed));
  const yields = listYields(trial, record, fields, needed);
  const isAnswer = record.length === 1; // its envelope, which may be refused
  const ofRecord = isAnswer ? [] : listChanges(told, record);
  const changes: Change[] = ofRecord.map((change) => ({ ...change, kept: others }));
  for (const path of fields) {
    const cost = findCost(path, needed, record);
    const spared = yields.filter(({ leaf }) => !isWithin(leaf, cost)).flatMap(({ outcome }) => [...outcome]);
    const left = needed.filter((one) => !isWithin(one, cost));
    const ofLeft = shared(whole, outcomeOf(keepOnly(told, record, left)));
    const kept = new Map([...others, ...spared, ...ofLeft]);
    for (const change of listChanges(told, path)) changes.push({ ...change, kept });
  }
  changes.push(...listBeforeGood(trial, record, changes));
  const found = changes.flatMap(({ what, changed, kept }) => compare(what, outcomeOf(changed), kept));
  return { tried: changes.length, found, spared: new Set(yields.flatMap(({ outcome }) => [...outcome.keys()])) };
}

/** Where a page has one record only: the same changes with an unchanged record after it, which must come through whole. */
function listBeforeGood({ told, whole, outcomeOf }: Trial, record: JsonPath, changes: readonly Change[]): Change[] {
  const list = record.slice(0, -1);
  const records = valueAt(told, list);
  if (!Array.isArray(records) || records.length !== 1) return [];
  const addGood = (changed: unknown) => copyWith(changed, list, [...(valueAt(changed, list) as unknown[]), records[0]]);
  const kept = shared(whole, outcomeOf(addGood(told)));
  return changes.map(({ what, changed }) => ({
    what: `${what} before a good record`,
    changed: addGood(changed),
    kept,
  }));
}

/** What a wrong value may cost: the field, or the entry of a list (or the record) that cannot exist without it. */
function findCost(path: JsonPath, needed: readonly JsonPath[], record: JsonPath): JsonPath {
  const entries = needed.filter((one) => isWithin(one, path)).map((one) => findEntry(one, record));
  return entries.find((entry) => isWithin(path, entry)) ?? path;
}

function findEntry(path: JsonPath, record: JsonPath): JsonPath {
  const last = path.slice(0, -1).findLastIndex(isEntryName);
  return last < record.length ? record : path.slice(0, last + 1);
}

function listChanges(told: unknown, path: JsonPath): Omit<Change, 'kept'>[] {
  const name = path.join('.');
  const value = valueAt(told, path);
  const isInSeries = (value === null || typeof value !== 'object') && Array.isArray(valueAt(told, path.slice(0, -1))); // by position
  return [
    ...(isInSeries ? [] : [{ what: `no ${name}`, changed: copyWithout(told, path) }]),
    ...WRONG_VALUES.filter((wrong) => typeof value !== 'boolean' || wrong !== true).map((wrong) => ({
      what: `${name} = ${JSON.stringify(wrong)}`,
      changed: copyWith(told, path, wrong),
    })),
  ];
}

function compare(what: string, outcome: Outcome | null, kept: Outcome): string[] {
  if (outcome === null) return [`${what} throws`];
  const lost = [...kept].find(([key, value]) => outcome.get(key) !== value);
  return lost === undefined ? [] : [`${what}: ${lost[0]} is ${outcome.get(lost[0])} instead of ${lost[1]}`];
}

/** What each field adds to those that a record cannot exist without, all others gone. */
function listYields(
  { told, whole, outcomeOf }: Trial,
  record: JsonPath,
  fields: readonly JsonPath[],
  needed: readonly JsonPath[],
): { readonly leaf: JsonPath; readonly outcome: Outcome }[] {
  const ofNeeded = outcomeOf(keepOnly(told, record, needed));
  return fields
    .filter((path) => typeof valueAt(told, path) !== 'object')
    .map((leaf) => {
      const outcome = shared(whole, outcomeOf(keepOnly(told, record, [...needed, leaf])));
      return { leaf, outcome: new Map([...outcome].filter(([key, value]) => ofNeeded?.get(key) !== value)) };
    });
}

function listEssential(provider: string, resource: string): readonly (readonly string[])[] {
  const { '*': always = [], [resource]: ofResource = [] } = ESSENTIAL_FIELDS[provider] ?? {};
  return [...always, ...ofResource].map((name) => name.split('.'));
}

function matches(path: JsonPath, patterns: readonly (readonly string[])[]): boolean {
  const isNamed = (name: string | number, part = '') =>
    part === '*' ? isEntryName(name) : part === '?' || part === String(name);
  return patterns.some(
    (pattern) => pattern.length === path.length && path.every((name, index) => isNamed(name, pattern[index])),
  );
}

function isWithin(path: JsonPath, holder: JsonPath): boolean {
  return holder.every((name, index) => path[index] === name);
}

/** Of a sample that has another value nothing is shared. */
function shared(one: Outcome, other: Outcome | null): Outcome {
  const isSame = (key: string) => one.get(key) === other?.get(key);
  return new Map([...one].filter(([key]) => isSame(key) && isSame(key.replace(/\w+$/, 'value'))));
}
