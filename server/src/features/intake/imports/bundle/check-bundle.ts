// Reads a bundle to its end before anything of it is imported: each line, their order, and the checksum.
import { createHash } from 'node:crypto';
import { type ImportError, importError } from '../import-error.ts';
import { findJsonFault } from './find-json-fault.ts';
import type { BundleLine, LineOf } from './line-schemas.ts';
import { mapRecords, type RecordLine, type RecordProblem } from './map-records.ts';
import { LineError, parseLine } from './parse-line.ts';
import { type RawLine, readLines } from './read-lines.ts';

export type NumberedLine<Line = BundleLine> = { readonly number: number; readonly line: Line };

export type CheckedBundle = {
  readonly header: LineOf<'header'>;
  readonly user: LineOf<'user'>;
  readonly devices: readonly LineOf<'device'>[];
  /** Samples, daily values, sleeps and workouts. */
  readonly records: number;
  readonly rejected: number;
  /** The first of them. */
  readonly problems: readonly RecordProblem[];
  readonly skipped: ReadonlyMap<string, number>;
};

const MAX_PROBLEMS = 50;
/** More than a user can have. All of them are held in memory. */
const MAX_DEVICES = 1_000;
const EXPORT_AGAIN = 'Nothing was imported. Export the user again, or copy the file again.';

export async function checkBundle(chunks: AsyncIterable<Uint8Array>, now: Date): Promise<CheckedBundle> {
  const digest = createHash('sha256');
  let [header, user, end]: [LineOf<'header'> | null, LineOf<'user'> | null, LineOf<'end'> | null] = [null, null, null];
  const devices = new Map<number, LineOf<'device'>>();
  const found = { records: 0, rejected: 0, problems: [] as RecordProblem[], skipped: new Map<string, number>() };
  let lines = 0;
  for await (const raw of readLines(chunks)) {
    if (end !== null) throw faultAt(raw, `more lines follow after the end. ${EXPORT_AGAIN}`);
    const line = openLine(raw);
    if (lines === 0 && line.line !== 'header') throw faultAt(raw, 'the first line of a bundle is its header');
    if (lines === 1 && line.line !== 'user') throw faultAt(raw, 'the second line of a bundle is its user');
    if (lines > 0 && line.line === 'header')
      throw faultAt(raw, 'a bundle has one header. Import each bundle separately.');
    if (lines > 1 && line.line === 'user') throw faultAt(raw, 'a bundle has one user. Import each bundle separately.');
    if (line.line === 'header') header = line;
    else if (line.line === 'user') user = line;
    else if (line.line === 'device') addDevice(devices, raw, line);
    else if (line.line === 'end') end = line;
    else if (line.line !== 'baseline') checkRecord(found, devices, raw, line, now);
    if (line.line !== 'end') {
      digest.update(raw.bytes);
      lines += 1;
    } else if (line.lines !== lines)
      throw faultAt(
        raw,
        `the bundle has ${lines} lines before its end, and ${line.lines} were written. ${EXPORT_AGAIN}`,
      );
  }
  if (header === null || user === null || end === null)
    throw importError(
      `the file ends early, before the last line of the bundle. ${EXPORT_AGAIN}`,
      `line ${lines + 1}, column 1`,
    );
  const sha256 = digest.digest('hex');
  if (end.sha256 !== sha256)
    throw importError(
      `the checksum does not fit: a line was changed or damaged. ${EXPORT_AGAIN}`,
      `line ${lines + 1}, column 1`,
    );
  return { header, user, devices: [...devices.values()], ...found };
}

/** The lines of a bundle that `checkBundle` has accepted. */
export async function* readBundle(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<NumberedLine> {
  for await (const raw of readLines(chunks)) yield { number: raw.number, line: openLine(raw) };
}

function openLine(raw: RawLine): BundleLine {
  let value: unknown;
  try {
    value = JSON.parse(raw.text);
  } catch {
    const column = findJsonFault(raw.text);
    const what = raw.isWhole ? 'the line is not valid JSON' : 'the file ends early, within this line';
    throw faultAt(raw, `${what}. ${EXPORT_AGAIN}`, column);
  }
  try {
    return parseLine(value);
  } catch (error) {
    if (!(error instanceof LineError)) throw error;
    throw faultAt(raw, error.message);
  }
}

function addDevice(devices: Map<number, LineOf<'device'>>, raw: RawLine, line: LineOf<'device'>): void {
  if (devices.has(line.device)) throw faultAt(raw, `a device with the number ${line.device} was described before`);
  if (devices.size === MAX_DEVICES) throw faultAt(raw, `a bundle has at most ${MAX_DEVICES} devices`);
  devices.set(line.device, line);
}

function checkRecord(
  found: { records: number; rejected: number; problems: RecordProblem[]; skipped: Map<string, number> },
  devices: ReadonlyMap<number, LineOf<'device'>>,
  raw: RawLine,
  line: RecordLine,
  now: Date,
): void {
  if (!devices.has(line.device)) throw faultAt(raw, `no line before describes the device ${line.device}`);
  found.records += countRecords(line);
  const { problems, skipped } = mapRecords([line], now, () => raw.number);
  found.rejected += problems.length;
  found.problems.push(...problems.slice(0, MAX_PROBLEMS - found.problems.length));
  for (const [metric, count] of skipped) found.skipped.set(metric, (found.skipped.get(metric) ?? 0) + count);
}

function countRecords(line: RecordLine): number {
  if (line.line === 'samples') return line.start.length;
  return line.line === 'daily' ? line.values.length : 1;
}

function faultAt({ number }: RawLine, message: string, column = 1): ImportError {
  return importError(message, `line ${number}, column ${column}`);
}
