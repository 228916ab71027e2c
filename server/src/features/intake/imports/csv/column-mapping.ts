// Which column of a CSV file is what: from a mapping file, or guessed from the header. Faults stop the import before
// anything is stored.
import { findMetric, METRICS, type Metric } from '../../../../domain/metrics/index.ts';
import { isComputed } from '../../../../domain/metrics/record-limits.ts';
import { findUnit, listUnitRules } from '../../../../domain/metrics/unit-rules.ts';
import { importError } from '../import-error.ts';

/** The content of a mapping file. Columns are named by their header. */
export type CsvMapping = {
  readonly time?: string;
  readonly end?: string;
  /** For files with one value per row: the columns of the metric, the value and the unit. */
  readonly metric?: string;
  readonly value?: string;
  readonly unit?: string;
  /** For files with a column per metric. */
  readonly columns?: Readonly<Record<string, { readonly metric: string; readonly unit?: string }>>;
  readonly timezone?: string;
  /** The name of the device. */
  readonly source?: string;
  readonly decimal?: '.' | ',';
};

export type ValueColumn = { readonly at: number; readonly metric: Metric; readonly unit: string };
export type Columns = {
  /** Of the header. */
  readonly count: number;
  readonly time: number;
  readonly end: number | null;
  readonly values: readonly ValueColumn[];
  readonly long: { readonly metric: number; readonly value: number; readonly unit: number | null } | null;
  readonly unused: readonly string[];
};

const TIME_NAMES = ['time', 'timestamp', 'datetime', 'date', 'start', 'starttime', 'startdate', 'recordedat'];
const END_NAMES = ['end', 'endtime', 'enddate'];

export function findColumns(header: readonly string[], mapping: CsvMapping, line: number): Columns {
  const mapped = new Set([
    ...[mapping.time, mapping.end, mapping.metric, mapping.value, mapping.unit],
    ...Object.keys(mapping.columns ?? {}),
  ]);
  /** The columns that can have the role, without those that the mapping uses for something else. */
  const find = (names: readonly string[]) =>
    header.flatMap((cell, at) => (names.includes(simplify(cell)) && !mapped.has(cell) ? [at] : []));
  const named = (name: string | undefined, names: readonly string[]) => {
    if (name === undefined) return find(names)[0] ?? -1;
    const at = header.indexOf(name);
    if (at < 0) throw importError(`there is no column "${name}"; the columns are ${header.join(', ')}`, `line ${line}`);
    return at;
  };
  const time = named(mapping.time, TIME_NAMES);
  if (time < 0)
    throw importError(
      `no column has the time. Name a column "time", or name it in a mapping (docs/imports.md#csv). The columns are ${header.join(', ').slice(0, 200)}.`,
      `line ${line}`,
    );
  const end = named(mapping.end, END_NAMES);
  const long = findLong(named, mapping);
  const taken = new Set([time, end]);
  const values = long ? [] : findValues(header, mapping, taken, line);
  refuseDuplicates(header, [time, end, ...Object.values(long ?? {}).map((at) => at ?? -1)], values, line);
  if (mapping.time === undefined) refuseSeveral(header, find(TIME_NAMES), 'time', line);
  if (mapping.end === undefined) refuseSeveral(header, find(END_NAMES), 'end', line);
  if (long === null && values.length === 0)
    throw importError(
      `no column is a metric of the catalog. Name metrics in the header, such as "weight (kg)", or in a mapping (docs/imports.md#csv).`,
      `line ${line}`,
    );
  const used = new Set([...taken, ...values.map(({ at }) => at)]);
  return {
    count: header.length,
    time,
    end: end < 0 ? null : end,
    values,
    long,
    unused: long ? [] : header.filter((_, at) => !used.has(at)),
  };
}

/** "date,time" is neither a list of days nor one of moments. */
function refuseSeveral(
  header: readonly string[],
  [first, second]: readonly number[],
  what: 'time' | 'end',
  line: number,
): void {
  if (first !== undefined && second !== undefined)
    throw importError(
      `"${header[first]}" and "${header[second]}" can both be the ${what}. Write date and time of day into one column, or name the right column in a mapping (docs/imports.md#csv).`,
      positionOf(line, second),
    );
}

/** Two columns for the same thing: only the person who made the file knows which of them is right. */
function refuseDuplicates(
  header: readonly string[],
  others: readonly number[],
  values: readonly ValueColumn[],
  line: number,
): void {
  for (const at of [...others, ...values.map((column) => column.at)]) {
    const again = header.indexOf(header[at] ?? '', at + 1);
    if (at >= 0 && again >= 0)
      throw importError(
        `column ${at + 1} has the same name, "${header[at]}". Rename or remove one of them.`,
        positionOf(line, again),
      );
  }
  for (const { at, metric } of values) {
    const first = values.find((other) => other.metric === metric);
    if (first !== undefined && first.at !== at)
      throw importError(
        `${metric.id} is also in column ${first.at + 1}. Remove one of them, or name the right one in a mapping.`,
        positionOf(line, at),
      );
  }
}

function findLong(
  named: (name: string | undefined, names: readonly string[]) => number,
  mapping: CsvMapping,
): Columns['long'] {
  if (mapping.columns !== undefined) return null;
  const [metric, value] = [named(mapping.metric, ['metric', 'type']), named(mapping.value, ['value'])];
  const unit = named(mapping.unit, ['unit']);
  return metric < 0 || value < 0 ? null : { metric, value, unit: unit < 0 ? null : unit };
}

function findValues(
  header: readonly string[],
  mapping: CsvMapping,
  taken: ReadonlySet<number>,
  line: number,
): ValueColumn[] {
  if (mapping.columns !== undefined)
    return Object.entries(mapping.columns).map(([name, { metric, unit }]) => {
      const at = header.indexOf(name);
      if (at < 0) throw importError(`there is no column "${name}"`, `line ${line}`);
      const found = findByName(metric);
      if (found === null) throw importError(`"${metric}" is not a metric that devices send`, positionOf(line, at));
      return { at, metric: found, unit: requireUnit(found, unit ?? found.unit, positionOf(line, at)) };
    });
  return header.flatMap((cell, at) => {
    if (taken.has(at)) return [];
    const { name, unit } = splitUnit(cell);
    const metric = findByName(name);
    if (metric === null) return [];
    return [{ at, metric, unit: requireUnit(metric, unit ?? metric.unit, positionOf(line, at)) }];
  });
}

/** "weight (kg)" or "weight [kg]". Without a pattern, which would take quadratic time for a long cell. */
function splitUnit(cell: string): { name: string; unit: string | undefined } {
  const text = cell.trimEnd();
  const last = text.length - 1;
  const isClosing = (at: number) => text[at] === ')' || text[at] === ']';
  let start = last; // after an earlier closing bracket
  while (start > 0 && !isClosing(start - 1)) start -= 1;
  const open = start + text.slice(start).search(/[([]/);
  if (!isClosing(last) || open < start || open + 1 >= last) return { name: cell, unit: undefined };
  return { name: text.slice(0, open).trimEnd(), unit: text.slice(open + 1, last) };
}

/** By id or display name, without regard to case and separators. */
export function findByName(name: string): Metric | null {
  const metric = findMetric(name) ?? byName.get(simplify(name)) ?? null;
  return metric === null || isComputed(metric) || metric.category === 'scores' ? null : metric;
}

const byName = new Map(
  METRICS.flatMap((metric) => [
    [simplify(metric.displayName), metric] as const,
    [simplify(metric.id), metric] as const,
  ]),
);

export function requireUnit(metric: Metric, unit: string, position: string): string {
  const rules = listUnitRules(metric);
  const rule = rules[findUnit(rules, unit)];
  if (rule !== undefined) return rule.unit;
  throw importError(
    `${metric.id} does not accept the unit "${unit.slice(0, 40)}"; use one of ${rules.map((one) => one.unit).join(', ')}`,
    position,
  );
}

/** Columns count from one, as in a spreadsheet. */
export function positionOf(line: number, at: number): string {
  return `line ${line}, column ${at + 1}`;
}

function simplify(text: string): string {
  return text.toLowerCase().replace(/[^a-z0-9]/g, '');
}
