// What a command sees of the process around it.
import { ErrorForPeople } from '../platform/error-for-people.ts';

export type Terminal = {
  readonly argv: readonly string[];
  readonly environment: Readonly<Record<string, string | undefined>>;
  stdout(text: string): void;
  stderr(text: string): void;
  onStopSignal(listener: () => void): void;
  exitNow(code: number): void;
};

export class CommandError extends ErrorForPeople {}

export function printJson(terminal: Terminal, value: unknown): void {
  terminal.stdout(`${JSON.stringify(value)}\n`);
}

/** Columns as wide as their widest cell; the last one is not padded. */
export function printTable(
  terminal: Terminal,
  headings: readonly string[],
  rows: readonly (readonly string[])[],
): void {
  const widths = headings.map((heading, column) =>
    Math.max(heading.length, ...rows.map((row) => row[column]?.length ?? 0)),
  );
  for (const row of [headings, ...rows]) {
    const cells = row.map((cell, column) => (column === row.length - 1 ? cell : cell.padEnd(widths[column] ?? 0)));
    terminal.stdout(`${cells.join('  ')}\n`);
  }
}
