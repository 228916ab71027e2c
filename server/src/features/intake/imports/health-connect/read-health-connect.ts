// Reads the SQLite database of a Health Connect export. Tables and columns that a version does not have are skipped.
import { DatabaseSync } from 'node:sqlite';
import type { RecordingMethod, SleepStage } from '../../../../domain/records/records.ts';
import { isOffsetMinutes } from '../../../../domain/time/parse-instant.ts';
import { importError } from '../import-error.ts';
import type { ImportSink, ImportSource, ImportWorkout } from '../import-sink.ts';
import { formatWithOffset } from '../local-times.ts';
import { shortenText } from '../shorten-text.ts';
import { SAMPLE_TABLES, type SampleTable } from './tables.ts';

type Row = Readonly<Record<string, number | bigint | string | Uint8Array | null>>;
type Export = {
  readonly db: DatabaseSync;
  readonly columns: ReadonlyMap<string, ReadonlySet<string>>;
  readonly sources: ReadonlyMap<number, ImportSource>;
  readonly sink: ImportSink;
};

const UNKNOWN: ImportSource = { provider: 'health_connect', id: 'import Health Connect', name: 'Health Connect' };
const MINUTE_SECONDS = 60;
const ROWS_PER_DRAIN = 5_000;

export async function readHealthConnect(path: string, sink: ImportSink): Promise<void> {
  const db = openDatabase(path);
  try {
    const columns = listColumns(db);
    if (!columns.has('application_info_table'))
      throw importError('this database is not a Health Connect export: it has no application_info_table.');
    const opened = { db, columns, sources: readSources(db), sink };
    for (const table of SAMPLE_TABLES) await readSamples(opened, table);
    await readHeartRates(opened);
    await readSleeps(opened);
    await readWorkouts(opened);
  } finally {
    db.close();
  }
}

function openDatabase(path: string): DatabaseSync {
  try {
    const db = new DatabaseSync(path, { readOnly: true });
    // Before the first record: a damaged page would end the import between two tables.
    const { quick_check: found } = db.prepare('pragma quick_check(1)').get() as { quick_check: string };
    if (found !== 'ok') throw new Error('a part of it is damaged');
    return db;
  } catch (error) {
    throw importError(`The database cannot be read (${(error as Error).message}). Export it again.`);
  }
}

function listColumns(db: DatabaseSync): Map<string, Set<string>> {
  const rows = db
    .prepare(
      "select m.name as name, i.name as field from sqlite_master m join pragma_table_info(m.name) i where m.type = 'table'",
    )
    .all() as { name: string; field: string }[];
  const columns = new Map<string, Set<string>>();
  for (const { name, field } of rows) columns.getOrInsertComputed(name, () => new Set<string>()).add(field);
  return columns;
}

function readSources(db: DatabaseSync): Map<number, ImportSource> {
  const rows = db.prepare('select row_id, package_name, app_name from application_info_table').all() as Row[];
  return new Map(
    rows.map(({ row_id: id, package_name: packageName, app_name: appName }) => {
      const app = shortenText(String(packageName ?? appName ?? id), 200);
      const name = shortenText(String(appName ?? packageName ?? UNKNOWN.name), 200) || UNKNOWN.name;
      return [Number(id), { provider: 'health_connect', id: `import ${app}`, name }];
    }),
  );
}

/** Calls `each` for every row, and sends full batches in between. */
async function eachRow({ db, sink }: Export, sql: string, each: (row: Row) => void): Promise<void> {
  let count = 0;
  for (const row of db.prepare(sql).iterate() as Iterable<Row>) {
    each(row);
    count += 1;
    if (count % ROWS_PER_DRAIN === 0 && sink.isFull()) await sink.drain();
  }
}

async function readSamples(opened: Export, { table, column, metric, unit, isInterval }: SampleTable): Promise<void> {
  const known = opened.columns.get(table);
  if (known === undefined) return;
  if (!known.has(column)) return opened.sink.skip(`${table} without ${column}`);
  await eachRow(opened, `select * from ${table} order by row_id`, (row) => {
    if (row[column] === null) return;
    const start = timeOf(row, isInterval ? 'start_time' : 'time', isInterval ? 'start_zone_offset' : 'zone_offset');
    const end = isInterval ? timeOf(row, 'end_time', 'end_zone_offset') : null;
    const method = methodOf(row);
    const sample = { metric, start, value: Number(row[column]), unit, recording_method: method };
    const isMoment = end === null || end === start;
    opened.sink.add(sourceOf(opened, row), 'samples', isMoment ? sample : { ...sample, end }, table);
  });
}

async function readHeartRates(opened: Export): Promise<void> {
  const table = 'heart_rate_record_series_table';
  if (!opened.columns.has(table) || !opened.columns.has('heart_rate_record_table')) return;
  await eachRow(
    opened,
    `select r.*, s.epoch_millis, s.beats_per_minute from ${table} s
       join heart_rate_record_table r on r.row_id = s.parent_key order by s.parent_key, s.epoch_millis`,
    (row) => {
      const start = timeOf(row, 'epoch_millis', 'start_zone_offset');
      const sample = { metric: 'heart_rate', start, value: Number(row.beats_per_minute), unit: 'bpm' };
      opened.sink.add(sourceOf(opened, row), 'samples', { ...sample, recording_method: methodOf(row) }, table);
    },
  );
}

/** Android's constants of sleep stages; 0 is unknown and 3 out of bed. */
const STAGES: Readonly<Record<number, SleepStage>> = {
  1: 'awake',
  2: 'asleep',
  3: 'awake',
  4: 'light',
  5: 'deep',
  6: 'rem',
  7: 'awake',
};

async function readSleeps(opened: Export): Promise<void> {
  const table = 'sleep_session_record_table';
  if (!opened.columns.has(table)) return;
  const stagesOf = opened.columns.has('sleep_stages_table')
    ? opened.db.prepare('select * from sleep_stages_table where parent_key = ? order by stage_start_time')
    : null;
  await eachRow(opened, `select * from ${table} order by row_id`, (row) => {
    const stages = ((stagesOf?.all(row.row_id ?? 0) ?? []) as Row[]).flatMap((stage) => {
      const name = STAGES[Number(stage.stage_type)];
      const zoned = { ...stage, zone: row.start_zone_offset ?? null };
      const [start, end] = [timeOf(zoned, 'stage_start_time', 'zone'), timeOf(zoned, 'stage_end_time', 'zone')];
      return name === undefined || start === end ? [] : [{ stage: name, start, end }];
    });
    opened.sink.add(
      sourceOf(opened, row),
      'sleep',
      { ...frameOf(row), ...(stages.length > 0 && { stages }), recording_method: methodOf(row) },
      table,
    );
  });
}

/** Of Android's constants, those whose numbers are certain. Others become `other`, with their title as the name. */
const EXERCISES: Readonly<Record<number, string>> = { 4: 'cycling', 33: 'running', 53: 'walking', 58: 'yoga' };

async function readWorkouts(opened: Export): Promise<void> {
  const table = 'exercise_session_record_table';
  if (!opened.columns.has(table)) return;
  await eachRow(opened, `select * from ${table} order by row_id`, (row) => {
    const title = typeof row.title === 'string' && row.title !== '' ? shortenText(row.title, 255) : null;
    const workout: ImportWorkout = {
      ...frameOf(row),
      sport_type: EXERCISES[Number(row.exercise_type)] ?? 'other',
      name: title,
      recording_method: methodOf(row),
    };
    opened.sink.add(sourceOf(opened, row), 'workouts', workout, table);
  });
}

function frameOf(row: Row): { id?: string; start: string; end: string } {
  const id = row.uuid instanceof Uint8Array ? Buffer.from(row.uuid).toString('hex') : '';
  return {
    ...(id !== '' && { id }),
    start: timeOf(row, 'start_time', 'start_zone_offset'),
    end: timeOf(row, 'end_time', 'end_zone_offset'),
  };
}

/** Times are in milliseconds, offsets in seconds. A value that is not a time is rejected by the checks of the upload. */
function timeOf(row: Row, time: string, offset: string): string {
  const ms = Number(row[time] ?? Number.NaN);
  const minutes = Math.round(Number(row[offset] ?? 0) / MINUTE_SECONDS);
  const isTime = Math.abs(ms) < 8e15 && isOffsetMinutes(minutes);
  return isTime ? formatWithOffset(ms, minutes) : String(row[time] ?? '');
}

function sourceOf({ sources }: Export, row: Row): ImportSource {
  return sources.get(Number(row.app_info_id)) ?? UNKNOWN;
}

const METHODS: Readonly<Record<number, RecordingMethod>> = { 1: 'active', 2: 'automatic', 3: 'manual' };

function methodOf({ recording_method: method }: Row): RecordingMethod {
  return METHODS[Number(method)] ?? 'unknown';
}
