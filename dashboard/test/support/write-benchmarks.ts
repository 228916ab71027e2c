import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

export type Figure = { readonly name: string; readonly value: string; readonly budget: string };

const FILE = path.resolve(import.meta.dirname, '../../../docs/benchmarks.md');
const [START, END] = ['<!-- dashboard budgets -->', '<!-- end of dashboard budgets -->'];

/** Replaces the table of the section "Dashboard". */
export function writeBenchmarks(figures: readonly Figure[]): void {
  const text = readFileSync(FILE, 'utf8');
  const [before, rest = ''] = text.split(START);
  const [, after] = rest.split(END);
  if (after === undefined) throw new Error(`${FILE} has no place for the figures of the dashboard`);
  writeFileSync(FILE, `${before}${START}\n\n${formatTable(figures)}\n\n${END}${after}`);
}

function formatTable(figures: readonly Figure[]): string {
  const rows = [['', 'measured', 'budget'], ...figures.map(({ name, value, budget }) => [name, value, budget])];
  const widths = [0, 1, 2].map((column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const lines = rows.map(
    (row) => `| ${row.map((cell, column) => pad(cell, widths[column] ?? 0, column)).join(' | ')} |`,
  );
  const rule = `| ${widths.map((width, column) => (column === 0 ? '-'.repeat(width) : `${'-'.repeat(width - 1)}:`)).join(' | ')} |`;
  return [lines[0], rule, ...lines.slice(1)].join('\n');
}

function pad(cell: string, width: number, column: number): string {
  return column === 0 ? cell.padEnd(width) : cell.padStart(width);
}
