// Filters (AIP-160), as far as Google supports them: from one time or date up to another, on the time field of the
// type.
import { type LocalDate, parseLocalDate } from '../../domain/time/calendar.ts';
import type { Zone } from '../../domain/time/day.ts';
import { type DataPoint, type PointShape, writeCivil } from './data-point.ts';

type Field = { readonly of: 'start' | 'end'; readonly as: 'physical' | 'civil' | 'date' };

const FIELDS: Readonly<Record<PointShape, Readonly<Record<string, Field>>>> = {
  interval: {
    'interval.start_time': { of: 'start', as: 'physical' },
    'interval.civil_start_time': { of: 'start', as: 'civil' },
  },
  sample: {
    'sample_time.physical_time': { of: 'start', as: 'physical' },
    'sample_time.civil_time': { of: 'start', as: 'civil' },
  },
  day: { date: { of: 'start', as: 'date' } },
  sleep: {
    'interval.end_time': { of: 'end', as: 'physical' },
    'interval.civil_end_time': { of: 'end', as: 'civil' },
  },
  log: { 'interval.civil_start_time': { of: 'start', as: 'civil' } },
  exercise: { 'interval.civil_start_time': { of: 'start', as: 'civil' } },
};

const CONDITION = /^([a-z0-9_]+)\.([a-z_.]+) (>=|<) "([^"]*)"$/;
const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/;
const CIVIL = /^\d{4}-\d\d-\d\d(T\d\d:\d\d:\d\d)?$/;

type Filter = {
  /** The dates to read, both included. Null: no limit. */
  readonly from: LocalDate | null;
  readonly to: LocalDate | null;
  matches(point: DataPoint): boolean;
};

type Condition = Field & { readonly isFrom: boolean; readonly literal: string; readonly date: LocalDate };
type FilteredType = { readonly type: string; readonly shape: PointShape };

/** A returned text is the validation error. */
export function parseFilter(text: string, type: FilteredType, zone: Zone): Filter | string {
  const parsed = text === '' ? [] : text.split(' AND ').map((part) => parseCondition(part.trim(), type, zone));
  const wrong = parsed.find((one) => typeof one === 'string');
  if (wrong !== undefined) return wrong;
  const conditions = parsed.filter((one) => typeof one !== 'string');
  const datesOf = (isFrom: boolean) => conditions.filter((one) => one.isFrom === isFrom).map(({ date }) => date);
  return {
    from: datesOf(true).sort().at(-1) ?? null,
    to: datesOf(false).sort()[0] ?? null,
    matches: (point) => conditions.every((one) => isMet(one, point, zone)),
  };
}

function parseCondition(text: string, { type, shape }: FilteredType, zone: Zone): Condition | string {
  const [, member, name = '', operator, literal = ''] = CONDITION.exec(text) ?? [];
  const field = Object.hasOwn(FIELDS[shape], name) ? FIELDS[shape][name] : undefined;
  if (member !== type.replaceAll('-', '_') || field === undefined) return `INVALID_DATA_POINT_FILTER: ${text}`;
  const date = field.as === 'physical' ? readInstantDate(literal, zone) : readCivilDate(literal);
  if (date === null) return `INVALID_DATA_POINT_FILTER: ${literal} is not a valid time for ${name}`;
  return { ...field, isFrom: operator === '>=', literal, date };
}

function readInstantDate(literal: string, zone: Zone): LocalDate | null {
  const ms = INSTANT.test(literal) ? Date.parse(literal) : Number.NaN;
  return Number.isNaN(ms) ? null : zone.dayAt(ms).date;
}

function readCivilDate(literal: string): LocalDate | null {
  return CIVIL.test(literal) ? parseLocalDate(literal.slice(0, 10)) : null;
}

function isMet({ of, as, isFrom, literal }: Condition, { startMs, endMs, date }: DataPoint, zone: Zone): boolean {
  const ms = of === 'start' ? startMs : endMs;
  if (as === 'physical') return isFrom === ms >= Date.parse(literal);
  if (as === 'date') return isFrom === date >= literal.slice(0, 10);
  const bound = literal.includes('T') ? literal : `${literal}T00:00:00`;
  return isFrom === writeCivil(zone, ms) >= bound;
}
