// Parses the catalog's tables. An invalid cell stops the program at startup.
//
// imperial "=" same as unit · samples public|stored|no · key own|derived|computed or the group's name
// limits, usual min..max · decimals metric or metric/imperial · healthkit Q: quantity, C: category · "-" none
import { CATEGORIES, type Category } from './categories.ts';
import {
  type Consolidation,
  DEVICE_CLASSES,
  type DeviceClass,
  METHODS,
  type Method,
  type Metric,
  type MetricId,
  VALUE_KINDS,
  type ValueKind,
  type ValueRange,
} from './metric.ts';

const COLUMNS = [
  'id',
  'name',
  'unit',
  'imperial',
  'kind',
  'samples',
  'key',
  'methods',
  'limits',
  'usual',
  'decimals',
  'accepts',
  'ranking',
  'healthkit',
  'health connect',
  'loinc',
  'description',
] as const;
type Cells = Record<(typeof COLUMNS)[number], string>;

const HEALTHKIT_PREFIXES: Record<string, string> = { Q: 'HKQuantityTypeIdentifier', C: 'HKCategoryTypeIdentifier' };

export function parseTable(category: Category, table: string): Metric[] {
  const [head, ...lines] = table
    .trim()
    .split('\n')
    .map((line) => line.split('|').map((cell) => cell.trim()));
  if (head?.join() !== COLUMNS.join()) throw new Error(`the table ${category} has unexpected columns`);
  return lines.map((cells) => {
    if (cells.length !== COLUMNS.length)
      throw new Error(`a line of ${category} has ${cells.length} cells: ${cells[0]}`);
    return toMetric(category, Object.fromEntries(COLUMNS.map((name, index) => [name, cells[index] ?? ''])) as Cells);
  });
}

function toMetric(category: Category, cells: Cells): Metric {
  const kind = pick(VALUE_KINDS, cells.kind) as ValueKind;
  const samples = pick(['public', 'stored', 'no'] as const, cells.samples);
  const consolidation = toConsolidation(cells.key);
  const [decimals = '0', imperialDecimals = decimals] = cells.decimals.split('/');
  // Totals that are stored as samples are merged per quarter hour; everything else takes one device's value.
  const defaultMethod: Method = (kind === 'sum' || kind === 'duration') && samples !== 'no' ? 'merge' : 'priority';
  const listed = splitList(cells.methods, ' ').map((word) => pick(METHODS, word));
  return {
    id: cells.id as MetricId,
    displayName: cells.name,
    category: pick(CATEGORIES, category),
    unit: cells.unit,
    imperialUnit: cells.imperial === '=' ? cells.unit : cells.imperial,
    kind,
    samples,
    consolidation,
    defaultMethod,
    allowedMethods: ['priority', ...listed, ...(defaultMethod === 'merge' ? (['merge'] as const) : [])],
    limits: toRange(cells.limits),
    usual: toRange(cells.usual),
    decimals: Number(decimals),
    imperialDecimals: Number(imperialDecimals),
    acceptedUnits: splitList(cells.accepts, ', '),
    ranking:
      cells.ranking === 'service'
        ? []
        : splitList(cells.ranking, ' ').map((word) => pick(DEVICE_CLASSES, word) as DeviceClass),
    healthKit: toHealthKit(cells.healthkit),
    healthConnect: orNull(cells['health connect']),
    loinc: orNull(cells.loinc),
    description: cells.description,
  };
}

function toConsolidation(key: string): Consolidation {
  if (key === 'own' || key === 'derived' || key === 'computed') return { by: key };
  return { by: 'group', group: key };
}

function toHealthKit(cell: string): string | null {
  const [kind = '', name] = cell.split(':');
  return name === undefined ? orNull(cell) : `${HEALTHKIT_PREFIXES[kind] ?? ''}${name}`;
}

function toRange(cell: string): ValueRange {
  const [min, max] = cell.split('..').map(Number);
  if (min === undefined || max === undefined || !(min <= max)) throw new Error(`not a range: ${cell}`);
  return { min, max };
}

function splitList(cell: string, separator: string): string[] {
  return cell === '-' ? [] : cell.split(separator);
}

function orNull(cell: string): string | null {
  return cell === '-' ? null : cell;
}

function pick<Word extends string>(words: readonly Word[], text: string): Word {
  const word = words.find((candidate) => candidate === text);
  if (word === undefined) throw new Error(`not one of ${words.join(', ')}: ${text}`);
  return word;
}
