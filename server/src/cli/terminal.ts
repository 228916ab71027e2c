// The interface between a command and its process: arguments, environment, output and signals.
import { CliError } from '../platform/cli-error.ts';

export type Terminal = {
  readonly argv: readonly string[];
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Whether a person watches stderr, so that a line can be drawn again. */
  readonly isTty?: boolean;
  stdout(text: string): void;
  stderr(text: string): void;
  /** Reads typed input without echo, or piped input. */
  readSecret(prompt: string): Promise<string>;
  onStopSignal(listener: () => void): void;
  onReloadSignal(listener: () => void): void;
  exitNow(code: number): void;
};

/** Tabs, line breaks, and what draws a line of progress again. */
const HARMLESS: ReadonlySet<string> = new Set(['\t', '\n', '\r', '\u001b[K']);

/** Escapes control characters, because the output has names that customers chose. JSON stays the same JSON. */
export function printableTerminal(terminal: Terminal): Terminal {
  return {
    ...terminal,
    stdout: (text) => terminal.stdout(escapeControls(text)),
    stderr: (text) => terminal.stderr(escapeControls(text)),
  };
}

function escapeControls(text: string): string {
  return text.replace(/\p{Cc}(\[K)?/gu, (found, rest = '') =>
    HARMLESS.has(found) ? found : escapeCharacter(found.charAt(0)) + rest,
  );
}

function escapeCharacter(character: string): string {
  return HARMLESS.has(character) ? character : `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

export class CommandError extends CliError {}

/** The same error with the words of the command. With `--json` it keeps the code and details of the service. */
export function restate(error: unknown, message: string): CommandError {
  const restated = new CommandError(message, { cause: error });
  if (error instanceof CliError && error.answer) restated.answer = { ...error.answer, message };
  return restated;
}

/** Aborted on Ctrl-C or another stop signal. */
export function createStopSignal(terminal: Terminal): AbortSignal {
  const controller = new AbortController();
  terminal.onStopSignal(() => controller.abort());
  return controller.signal;
}

/** Known before the arguments are checked, because they may be invalid. */
export function wantsJson({ argv }: Pick<Terminal, 'argv'>): boolean {
  const end = argv.indexOf('--');
  return argv.slice(0, end === -1 ? argv.length : end).includes('--json');
}

/** Notes and progress are for people. With `--json`, standard error has only errors. */
export function printNote(terminal: Pick<Terminal, 'argv' | 'stderr'>, text: string): void {
  if (!wantsJson(terminal)) terminal.stderr(text);
}

export function printJson(terminal: Terminal, value: unknown): void {
  terminal.stdout(`${JSON.stringify(value)}\n`);
}

/** Prints aligned columns. `rightAligned` has the headings of number columns. */
export function printTable(
  terminal: Terminal,
  headings: readonly string[],
  rows: readonly (readonly string[])[],
  rightAligned: readonly string[] = [],
): void {
  const widths = headings.map((heading, column) =>
    rows.reduce((widest, row) => Math.max(widest, row[column]?.length ?? 0), heading.length),
  );
  const isRight = headings.map((heading) => rightAligned.includes(heading));
  for (const row of [headings, ...rows]) {
    const cells = row.map((cell, column) => {
      if (isRight[column]) return cell.padStart(widths[column] ?? 0);
      return column === row.length - 1 ? cell : cell.padEnd(widths[column] ?? 0);
    });
    terminal.stdout(`${cells.join('  ')}\n`);
  }
}
