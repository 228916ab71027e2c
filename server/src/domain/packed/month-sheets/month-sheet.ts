// One calendar month of daily values: metric × day, a value and a note in each cell. The caller defines what notes
// mean.
import type { MetricNumber } from '../../metrics/index.ts';
import { PackedBytesError } from '../bytes/index.ts';
import { MAX_DAYS, MAX_METRIC } from './sheet-format.ts';

export type Cell = { readonly value: number; readonly note: string };

export type MonthSheet = {
  get(metric: MetricNumber, day: number): Cell | null;
  /** Null empties the cell. Returns whether anything changed; replacing 0 by -0 is a change. */
  set(metric: MetricNumber, day: number, cell: Cell | null): boolean;
  /** Metrics with at least one cell, ascending. */
  metrics(): MetricNumber[];
  /** By day, ascending. */
  cells(metric: MetricNumber): Iterable<readonly [day: number, cell: Cell]>;
  readonly isEmpty: boolean;
  /** For the codec: every column has at least one value. */
  readonly columns: Map<MetricNumber, SheetColumn>;
};

/** By day, from 0. NaN means no value and no note. */
export type SheetColumn = { readonly values: Float64Array; readonly notes: (string | null)[] };

export function createSheet(): MonthSheet {
  const columns = new Map<MetricNumber, SheetColumn>();
  return {
    columns,
    get: (metric, day) => cellAt(columns.get(metric), day),
    set: (metric, day, cell) => {
      requireCell(metric, day);
      return cell === null ? clearCell(columns, metric, day) : setCell(columns, metric, day, cell);
    },
    metrics: () => [...columns.keys()].sort((a, b) => a - b),
    cells: (metric) => listCells(columns.get(metric)),
    get isEmpty() {
      return columns.size === 0;
    },
  };
}

function createColumn(): SheetColumn {
  return { values: new Float64Array(MAX_DAYS).fill(Number.NaN), notes: new Array<string | null>(MAX_DAYS).fill(null) };
}

function cellAt(column: SheetColumn | undefined, day: number): Cell | null {
  const value = column?.values[day - 1];
  return value === undefined || Number.isNaN(value) ? null : { value, note: column?.notes[day - 1] ?? '' };
}

function setCell(columns: Map<MetricNumber, SheetColumn>, metric: MetricNumber, day: number, cell: Cell): boolean {
  if (!Number.isFinite(cell.value)) throw new PackedBytesError('a value is not a number');
  let column = columns.get(metric);
  if (column === undefined) {
    column = createColumn();
    columns.set(metric, column);
  }
  const { values, notes } = column;
  if (Object.is(values[day - 1], cell.value) && notes[day - 1] === cell.note) return false;
  values[day - 1] = cell.value;
  notes[day - 1] = cell.note;
  return true;
}

function clearCell(columns: Map<MetricNumber, SheetColumn>, metric: MetricNumber, day: number): boolean {
  const column = columns.get(metric);
  if (column === undefined || Number.isNaN(column.values[day - 1])) return false;
  column.values[day - 1] = Number.NaN;
  column.notes[day - 1] = null;
  if (column.values.every(Number.isNaN)) columns.delete(metric);
  return true;
}

function* listCells(column: SheetColumn | undefined): Generator<readonly [number, Cell]> {
  for (let day = 1; day <= MAX_DAYS; day += 1) {
    const cell = cellAt(column, day);
    if (cell !== null) yield [day, cell];
  }
}

function requireCell(metric: number, day: number): void {
  if (!Number.isInteger(day) || day < 1 || day > MAX_DAYS) throw new PackedBytesError(`no month has a day ${day}`);
  if (!Number.isInteger(metric) || metric < 1 || metric > MAX_METRIC)
    throw new PackedBytesError(`${metric} is not a metric number`);
}
