// Forwards PostgreSQL's stderr to the service's log, and keeps the last lines for error messages.

import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';

type LogLine = (fields: object, message: string) => void;
export type PostgresLog = { debug: LogLine; info: LogLine; warn: LogLine; error: LogLine };

export type ServerLog = { follow(stderr: Readable): void; listLastLines(): string[]; forgetLines(): void };

const KEPT_LINES = 20;

/** A failing server can write thousands of equal lines per second, so only the first ones are logged. */
const MAX_LINES_PER_WINDOW = 100;
const WINDOW_MS = 10_000;

/** Messages about connections during start and stop, which our own polling causes. */
const EXPECTED = /the database system is (starting up|shutting down|not yet accepting connections|in recovery mode)/;

export function createServerLog(log: PostgresLog, now: () => number = () => performance.now()): ServerLog {
  const lastLines: string[] = [];
  let windowStart = now();
  let linesInWindow = 0;
  const accept = (line: string) => {
    if (line.trim() === '' || EXPECTED.test(line)) return;
    lastLines.push(line);
    if (lastLines.length > KEPT_LINES) lastLines.shift();
    if (now() - windowStart >= WINDOW_MS) {
      const dropped = linesInWindow - MAX_LINES_PER_WINDOW;
      if (dropped > 0) log.warn({ dropped }, 'PostgreSQL wrote too many lines; some were dropped');
      windowStart = now();
      linesInWindow = 0;
    }
    linesInWindow++;
    if (linesInWindow > MAX_LINES_PER_WINDOW) return;
    const { severity, text } = parseServerLine(line);
    log[pickLevel(severity)]({ source: 'postgres', severity }, text);
  };
  return {
    follow: (stderr) => void createInterface({ input: stderr }).on('line', accept),
    listLastLines: () => [...lastLines],
    forgetLines: () => void lastLines.splice(0),
  };
}

export function parseServerLine(line: string): { severity: string; text: string } {
  const match = /^(?:[\w./-]+: )?([A-Z]+): {2}(.*)$/.exec(line);
  return { severity: match?.[1] ?? 'LOG', text: match?.[2] ?? line.trim() };
}

function pickLevel(severity: string): keyof PostgresLog {
  if (severity === 'FATAL' || severity === 'PANIC') return 'error';
  return severity === 'WARNING' || severity === 'ERROR' ? 'warn' : 'debug';
}
