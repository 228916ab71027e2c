// Checks a mapping that a person wrote, before a file is read with it.
import { isTimeZoneName } from '../../../../domain/time/calendar.ts';
import type { CsvMapping } from './column-mapping.ts';

const TEXTS = ['time', 'end', 'metric', 'value', 'unit', 'timezone', 'source'];
const FIELDS = [...TEXTS, 'columns', 'decimal'];

type MappingProblem = { readonly field: string; readonly message: string };

export function checkMapping(value: unknown): { readonly mapping: CsvMapping } | { readonly problem: MappingProblem } {
  if (!isObject(value)) return problemOf('', 'must be a JSON object');
  for (const [field, content] of Object.entries(value)) {
    if (!FIELDS.includes(field)) return problemOf(field, `is not a field of a mapping; use ${FIELDS.join(', ')}`);
    if (TEXTS.includes(field) && typeof content !== 'string') return problemOf(field, 'must be a text');
  }
  const { columns = {}, decimal, timezone } = value;
  if (decimal !== undefined && decimal !== '.' && decimal !== ',') return problemOf('decimal', 'must be "." or ","');
  if (typeof timezone === 'string' && !isTimeZoneName(timezone))
    return problemOf('timezone', 'must be a time zone such as Europe/Berlin');
  if (!isObject(columns)) return problemOf('columns', 'must be an object with the names of columns');
  for (const [name, column] of Object.entries(columns))
    if (!isObject(column) || typeof column.metric !== 'string' || !['string', 'undefined'].includes(typeof column.unit))
      return problemOf(`columns.${name}`, 'must be an object such as {"metric": "weight", "unit": "kg"}');
  return { mapping: value as CsvMapping };
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function problemOf(field: string, message: string): { readonly problem: MappingProblem } {
  return { problem: { field, message } };
}
