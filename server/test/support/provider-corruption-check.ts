// Puts wrong values into every field of every fixture, one at a time. A bad field may cost only its own value, a bad record
// only that record. Only the fields in `ESSENTIAL_FIELDS` may cost the object that contains them, and each of them must.
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
import { ESSENTIAL_FIELDS, type EssentialFields } from './provider-essential-fields.ts';
import type { FixturePage, ProviderFixtures } from './provider-fixture.ts';
import { type PageOutcome, readOutcome } from './provider-outcome.ts';

/** Wrong values for a field; in addition the field may be missing. */
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
/** A limit that keeps the report readable. */
const MAX_LISTED = 10;

export function checkCorrupted(
  provider: CloudProvider,
  { pages }: ProviderFixtures,
  essential: EssentialFields = ESSENTIAL_FIELDS[provider.id] ?? {},
): void {
  const costly = new Set<string>();
  for (const page of pages) {
    const { tried, found, ...result } = corruptPage(provider, page, essential);
    assert.deepEqual(found.slice(0, MAX_LISTED), [], `${page.resource}: ${found.length} problems`);
    assert.ok(tried > WRONG_VALUES.length, `nothing of ${page.resource} was corrupted`);
    for (const name of result.costly) costly.add(name);
  }
  const listed = Object.entries(essential).flatMap(([resource, names]) => names.map((name) => `${resource} ${name}`));
  const optional = listed.filter((name) => !costly.has(name));
  assert.deepEqual(optional, [], 'essential fields whose loss does not cost the object that contains them');
}

/** `costly`: the essential fields whose loss costs the whole object that contains them. */
type Result = { readonly tried: number; readonly found: readonly string[]; readonly costly: ReadonlySet<string> };

/** A page whose records are corrupted one after the other. */
type Trial = {
  readonly reported: Readonly<Record<string, unknown>>;
  readonly whole: PageOutcome;
  /** Null if the mapping threw. */
  readonly outcomeOf: (reported: unknown) => PageOutcome | null;
  readonly needed: readonly Pattern[];
};

/** `name` as listed, with its resource. */
type Pattern = { readonly name: string; readonly parts: readonly string[] };

function corruptPage(
  provider: CloudProvider,
  { resource, zone, isOneRecord, ...answers }: FixturePage,
  essential: EssentialFields,
): Result {
  const page = { resource, ...(zone !== undefined && { zone }) };
  const outcomeOf = (reported: unknown) => {
    try {
      return readOutcome(provider, { ...page, ...(reported as typeof answers) });
    } catch {
      return null;
    }
  };
  const whole = readOutcome(provider, { ...page, ...answers });
  const trial: Trial = { reported: answers, whole, outcomeOf, needed: listEssential(essential, resource) };
  const records = isOneRecord ? Object.keys(answers).map((name) => [name]) : listRecordPaths(answers);
  const results = records.map((record) => corruptRecord(trial, record));
  return {
    tried: results.reduce((sum, { tried }) => sum + tried, 0),
    found: results.flatMap(({ found }) => found).map((problem) => `${resource}: ${problem}`),
    costly: new Set(results.flatMap(({ costly }) => [...costly])),
  };
}

/** What a field contributes in addition to the fields that a record requires. */
type Yields = readonly { readonly leaf: JsonPath; readonly outcome: PageOutcome }[];

type Change = { readonly what: string; readonly changed: unknown; readonly kept: PageOutcome };

function corruptRecord(trial: Trial, record: JsonPath): Result {
  const { reported, whole, outcomeOf } = trial;
  const others = shared(whole, outcomeOf(copyWithout(reported, record)));
  const fields = listPaths(valueAt(reported, record)).map((path) => [...record, ...path]);
  const needed = fields.filter((path) => findPattern(trial, record, path) !== undefined);
  const ofNeeded = shared(whole, outcomeOf(keepOnly(reported, record, needed)));
  const yields = listYields(trial, record, fields, needed);
  const costly = needed.filter((path) => isCostly(trial, path));
  const isAnswer = record.length === 1; // an envelope, which may be rejected
  const ofRecord = isAnswer ? [] : listChanges(reported, record);
  const changes: Change[] = ofRecord.map((change) => ({ ...change, kept: others }));
  for (const path of fields) {
    const spared = yields.filter(({ leaf }) => !isWithin(leaf, path)).flatMap(({ outcome }) => [...outcome]);
    const isNeeded = needed.some((one) => isWithin(one, path));
    const gone = costly.includes(path) ? path.slice(0, -1) : path;
    // A missing entry leaves the others intact; an unreadable one may make them worthless, as in a hypnogram.
    const isComparable = isNeeded || !isEntryName(path.at(-1) ?? '');
    const kept = new Map([
      ...(isComparable ? shared(whole, outcomeOf(copyWithout(reported, gone))) : []),
      ...(isNeeded ? [] : [...others, ...spared, ...ofNeeded]),
    ]);
    for (const change of listChanges(reported, path)) changes.push({ ...change, kept });
  }
  changes.push(...listBeforeGood(trial, record, changes));
  const found = changes.flatMap(({ what, changed, kept }) => compare(what, outcomeOf(changed), kept));
  const optional = fields.filter((path) => !needed.some((one) => isWithin(one, path)));
  const own = listLost(whole, others).filter(isStored);
  found.push(...optional.flatMap((path) => findUnlisted(trial, path, own, yields)));
  if (
    own.length > 0 &&
    [ofNeeded, ...yields.map(({ outcome }) => outcome)].every((outcome) => isSubset(outcome, others))
  )
    found.push(`${record.join('.')} is lost without several fields, and not all are in ESSENTIAL_FIELDS`);
  const names = costly.map((path) => findPattern(trial, record, path)?.name ?? '');
  return { tried: changes.length, found, costly: new Set(names) };
}

/** An optional field that costs its record although other fields contribute values too. */
function findUnlisted(
  { reported, outcomeOf }: Trial,
  path: JsonPath,
  own: readonly string[],
  yields: Yields,
): string[] {
  const left = outcomeOf(copyWithout(reported, path));
  if (own.length === 0 || left === null || own.some((key) => left.has(key))) return [];
  const printed = yields.filter(({ leaf }) => isWithin(leaf, path)).map(({ outcome }) => outcome);
  const isOnlyValue = own.filter(isTelling).every((key) => printed.some((outcome) => outcome.has(key)));
  return isOnlyValue ? [] : [`${path.join('.')} costs its record and is not in ESSENTIAL_FIELDS`];
}

/** Ignores how and until when a value was measured, which other fields may provide. */
function isTelling(key: string): boolean {
  return /^(sleep|workout) | value$/.test(key);
}

function isSubset(one: PageOutcome, other: PageOutcome): boolean {
  return [...one.keys()].every((key) => other.has(key));
}

/** Whether at least one wrong value costs everything in the object that contains the field. */
function isCostly({ reported, whole, outcomeOf }: Trial, path: JsonPath): boolean {
  const printed = listLost(whole, outcomeOf(copyWithout(reported, path.slice(0, -1))));
  const costsAll = ({ changed }: { readonly changed: unknown }) => {
    const outcome = outcomeOf(changed);
    return printed.every((key) => outcome?.get(key) !== whole.get(key));
  };
  return printed.length > 0 && listChanges(reported, path).some(costsAll);
}

function listLost(whole: PageOutcome, left: PageOutcome | null): string[] {
  return [...whole.keys()].filter((key) => left?.get(key) !== whole.get(key));
}

function isStored(key: string): boolean {
  return !key.endsWith(' isAsked');
}

/** For a page with one record only: the same changes, followed by an unchanged record, which must be mapped completely. */
function listBeforeGood({ reported, whole, outcomeOf }: Trial, record: JsonPath, changes: readonly Change[]): Change[] {
  const list = record.slice(0, -1);
  const records = valueAt(reported, list);
  if (!Array.isArray(records) || records.length !== 1) return [];
  const addGood = (changed: unknown) => copyWith(changed, list, [...(valueAt(changed, list) as unknown[]), records[0]]);
  const kept = shared(whole, outcomeOf(addGood(reported)));
  return changes.map(({ what, changed }) => ({
    what: `${what} before a good record`,
    changed: addGood(changed),
    kept,
  }));
}

function listChanges(reported: unknown, path: JsonPath): Omit<Change, 'kept'>[] {
  const name = path.join('.');
  const value = valueAt(reported, path);
  const isInSeries =
    (value === null || typeof value !== 'object') && Array.isArray(valueAt(reported, path.slice(0, -1))); // by position
  return [
    ...(isInSeries ? [] : [{ what: `no ${name}`, changed: copyWithout(reported, path) }]),
    ...WRONG_VALUES.filter((wrong) => typeof value !== 'boolean' || wrong !== true).map((wrong) => ({
      what: `${name} = ${JSON.stringify(wrong)}`,
      changed: copyWith(reported, path, wrong),
    })),
  ];
}

function compare(what: string, outcome: PageOutcome | null, kept: PageOutcome): string[] {
  if (outcome === null) return [`${what} throws`];
  const lost = [...kept].find(([key, value]) => outcome.get(key) !== value);
  return lost === undefined ? [] : [`${what}: ${lost[0]} is ${outcome.get(lost[0])} instead of ${lost[1]}`];
}

/** What each field adds to the fields that a record requires, with all others removed. */
function listYields(
  { reported, whole, outcomeOf }: Trial,
  record: JsonPath,
  fields: readonly JsonPath[],
  needed: readonly JsonPath[],
): Yields {
  const ofNeeded = outcomeOf(keepOnly(reported, record, needed));
  return fields
    .filter((path) => typeof valueAt(reported, path) !== 'object')
    .map((leaf) => {
      const outcome = shared(whole, outcomeOf(keepOnly(reported, record, [...needed, leaf])));
      return { leaf, outcome: new Map([...outcome].filter(([key, value]) => ofNeeded?.get(key) !== value)) };
    });
}

function listEssential(essential: EssentialFields, resource: string): Pattern[] {
  return ['*', resource].flatMap((of) =>
    (essential[of] ?? []).map((name) => ({ name: `${of} ${name}`, parts: name.split('.') })),
  );
}

function findPattern({ needed }: Trial, record: JsonPath, path: JsonPath): Pattern | undefined {
  const names = path.slice(record.length);
  const isNamed = (name: string | number, part = '') =>
    part === '*' ? isEntryName(name) : part === '?' || part === String(name);
  return needed.find(
    ({ parts }) => parts.length === names.length && names.every((name, index) => isNamed(name, parts[index])),
  );
}

function isWithin(path: JsonPath, holder: JsonPath): boolean {
  return holder.every((name, index) => path[index] === name);
}

/** Ignores samples with different values. */
function shared(one: PageOutcome, other: PageOutcome | null): PageOutcome {
  const isSame = (key: string) => one.get(key) === other?.get(key);
  return new Map([...one].filter(([key]) => isSame(key) && isSame(key.replace(/\w+$/, 'value'))));
}
