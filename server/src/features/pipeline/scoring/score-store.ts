// SQL of stored scores. Details are packed (packed-scores.ts); rows that an earlier version wrote have them as JSON, until the
// hourly job has packed them.
import {
  type ComputedStress,
  SCORE_TYPES,
  type ScoreExplanation,
  type ScoreFactor,
  type ScoreType,
} from '../../../domain/scores/index.ts';
import type { UserId } from '../../../domain/tenancy.ts';
import type { LocalDate } from '../../../domain/time/calendar.ts';
import { type Queryable, statement, type Transaction } from '../../../platform/db/database.ts';
import type { UserHandle } from '../../tenancy/user-core/index.ts';
import { packDetails, packStress, type ScoreDetail, unpackDetails, unpackStress } from './packed-scores.ts';
import { cutDays } from './store.ts';

export type KeptScore = ScoreDetail & { readonly value: number };

export type KeptDay = {
  readonly scores: ReadonlyMap<ScoreType, KeptScore>;
  readonly stressSeries: readonly ComputedStress[];
};

export type ScoreValues = Readonly<Record<ScoreType, number | null>>;

export const VALUE_COLUMNS = SCORE_TYPES.join(', ');
/** An earlier version that still runs during an upgrade writes details and not the packed columns. */
const DETAIL_COLUMNS =
  'details, stress_series, packed_details, case when details is null then packed_stress end as packed_stress';
const READ_DAYS = statement(
  'read_scored_days',
  `select date::text as date, ${VALUE_COLUMNS}, ${DETAIL_COLUMNS} from scores where user_id = $1 and date between $2 and $3`,
);
const READ_VALUES = statement(
  'read_score_values',
  `select date::text as date, ${VALUE_COLUMNS} from scores where user_id = $1 and date between $2 and $3 order by date`,
);
/** A bit for each score of a day, exactly as in the index scores_by_types. */
const TYPES = `(recovery_score is not null)::int + (strain_score is not null)::int * 2 + (sleep_score is not null)::int * 4
  + (stress_score is not null)::int * 8 + (nutrition_score is not null)::int * 16 + (energy_reserve_score is not null)::int * 32`;
/** Goes from one combination of scores to the next and takes its newest day, so that a score the user never had costs nothing. */
const READ_NEWEST = statement(
  'read_newest_scores',
  `with recursive combinations as (
     (select ${TYPES} as types, s.date from scores s where s.user_id = $1 order by ${TYPES} desc, s.date desc limit 1)
     union all
     select next.* from combinations c cross join lateral (select ${TYPES} as types, s.date from scores s
        where s.user_id = $1 and ${TYPES} < c.types order by ${TYPES} desc, s.date desc limit 1) next)
   select s.date::text as date, ${VALUE_COLUMNS}, details, packed_details from scores s
    where s.user_id = $1 and s.date = any(array(
      select max(c.date) from combinations c, unnest(array[1, 2, 4, 8, 16, 32]) bit where c.types & bit > 0 group by bit))
    order by s.date desc`,
);
const READ_STRESS = statement(
  'read_stress_series',
  `select ${DETAIL_COLUMNS} from scores where user_id = $1 and date between $2 and $3
      and (stress_series is not null or packed_stress is not null) order by date`,
);
const WRITE_DAYS = statement(
  'write_scored_days',
  `insert into scores (user_id, date, ${VALUE_COLUMNS}, packed_details, packed_stress)
   select $1, * from unnest($2::date[], ${SCORE_TYPES.map((_, index) => `$${index + 3}::smallint[]`).join(', ')}, $9::bytea[], $10::bytea[])
   on conflict (user_id, date) do update set ${SCORE_TYPES.map((type) => `${type} = excluded.${type}`).join(', ')},
     packed_details = excluded.packed_details, packed_stress = excluded.packed_stress, details = null, stress_series = null`,
);
const DELETE_DAYS = statement('delete_scored_days', 'delete from scores where user_id = $1 and date = any($2::date[])');
const TENTHS = 10;

export type ValueRow = { date: LocalDate } & Record<ScoreType, number | null>;
type DetailRow = {
  factors: ScoreFactor[];
  neutral: number;
  coverage: number | null;
  explanation: ScoreExplanation;
  algorithm_version: number;
  computed_at: string;
};
type DetailColumns = {
  details: Partial<Record<ScoreType, DetailRow>> | null;
  packed_details: Buffer | null;
};
type StressColumns = { stress_series: ComputedStress[] | null; packed_stress: Buffer | null };
type DayRow = ValueRow & DetailColumns & StressColumns;

export async function readScoredDays(
  db: Queryable,
  user: UserHandle,
  from: LocalDate,
  to: LocalDate,
): Promise<Map<LocalDate, KeptDay>> {
  const rows = await db.query<DayRow>(READ_DAYS, [user.userId, from, to]);
  return new Map(rows.map((row) => [row.date, toKeptDay(row)]));
}

/** Ascending, after a date or from the first one. */
export async function listScoredDates(
  db: Queryable,
  user: UserHandle,
  after: LocalDate | null,
  limit: number,
): Promise<LocalDate[]> {
  // A result column named date would decide the order on Citus, which sends "order by scores.date" to the nodes as "order by date".
  const rows = await db.query<{ day: LocalDate }>(
    'select date::text as day from scores where user_id = $1 and ($2::date is null or date > $2) order by date limit $3',
    [user.userId, after, limit],
  );
  return rows.map(({ day }) => day);
}

/** By date. */
export async function readScoreValues(
  db: Queryable,
  user: UserHandle,
  from: LocalDate,
  to: LocalDate,
): Promise<Map<LocalDate, ScoreValues>> {
  const rows = await db.query<ValueRow>(READ_VALUES, [user.userId, from, to]);
  return new Map(rows.map((row) => [row.date, toValues(row)]));
}

export type NewestScore = KeptScore & { readonly type: ScoreType; readonly date: LocalDate };

/** The newest score of each type, in the order of types; types that were never computed are absent. */
export async function readNewestScores(db: Queryable, user: UserHandle): Promise<NewestScore[]> {
  const rows = await db.query<ValueRow & DetailColumns>(READ_NEWEST, [user.userId]); // newest first
  const details = new Map<LocalDate, ReadonlyMap<ScoreType, ScoreDetail>>(); // most types have the same newest day
  return SCORE_TYPES.flatMap((type) => {
    const row = rows.find((day) => day[type] !== null);
    if (row === undefined) return [];
    const detail = details.getOrInsertComputed(row.date, () => readDetails(row)).get(type);
    return detail === undefined ? [] : [{ type, date: row.date, value: (row[type] ?? 0) / TENTHS, ...detail }];
  });
}

export async function hasScores(db: Queryable, user: UserHandle): Promise<boolean> {
  const isAny = `coalesce(${VALUE_COLUMNS}) is not null`;
  return (await db.query(`select 1 from scores where user_id = $1 and ${isAny} limit 1`, [user.userId])).length > 0;
}

/** Stress that the service computed, ascending. */
export async function readComputedStress(
  db: Queryable,
  user: UserHandle,
  from: LocalDate,
  to: LocalDate,
): Promise<ComputedStress[]> {
  const rows = await db.query<StressColumns>(READ_STRESS, [user.userId, from, to]);
  return rows.flatMap(readStress);
}

const FIND_UNPACKED = statement(
  'find_unpacked_scores',
  `select user_id from scores where details is not null and ($1::uuid is null or user_id > $1) order by user_id limit 1`,
);
const LOCK_UNPACKED = statement(
  'lock_unpacked_scores',
  `select date::text as date, ${VALUE_COLUMNS}, ${DETAIL_COLUMNS} from scores
    where user_id = $1 and details is not null limit $2 for update skip locked`,
);
const PACK = statement(
  'pack_scores',
  `update scores s set details = null, stress_series = null, packed_details = packed.details, packed_stress = packed.stress
     from unnest($2::date[], $3::bytea[], $4::bytea[]) as packed(date, details, stress)
    where s.user_id = $1 and s.date = packed.date`,
);

/** The first user after the given one whose days an earlier version stored as JSON. Null: there is no further one. */
export async function findUnpackedUser(db: Queryable, after: UserId | null): Promise<UserId | null> {
  const [found] = await db.query<{ user_id: UserId }>(FIND_UNPACKED, [after]);
  return found?.user_id ?? null;
}

/** Packs some days of the user and returns how many. Skips days that somebody else has locked. */
export async function packEarlierScores(tx: Transaction, userId: UserId, limit: number): Promise<number> {
  const rows = await tx.query<DayRow>(LOCK_UNPACKED, [userId, limit]);
  if (rows.length === 0) return 0;
  const stress = rows.map(readStress);
  await tx.query(PACK, [
    userId,
    rows.map(({ date }) => date),
    rows.map((row) => packDetails(readDetails(row))),
    stress.map((series) => (series.length === 0 ? null : packStress(series))),
  ]);
  return rows.length;
}

/** Deletes the rows of days without scores. */
export async function writeScoredDays(
  tx: Transaction,
  user: UserHandle,
  days: ReadonlyMap<LocalDate, KeptDay>,
): Promise<void> {
  const isKept = ({ scores, stressSeries }: KeptDay) => scores.size > 0 || stressSeries.length > 0;
  const kept = [...days].filter(([, day]) => isKept(day));
  const gone = [...days].filter(([, day]) => !isKept(day)).map(([date]) => date);
  if (gone.length > 0) await tx.query(DELETE_DAYS, [user.userId, gone]);
  for (const some of cutDays(kept)) {
    await tx.query(WRITE_DAYS, [
      user.userId,
      some.map(([date]) => date),
      ...SCORE_TYPES.map((type) => some.map(([, { scores }]) => toTenths(scores.get(type)?.value ?? null))),
      some.map(([, { scores }]) => packDetails(scores)),
      some.map(([, { stressSeries }]) => (stressSeries.length === 0 ? null : packStress(stressSeries))),
    ]);
  }
}

function toKeptDay(row: DayRow): KeptDay {
  const scores = new Map<ScoreType, KeptScore>();
  const details = readDetails(row);
  for (const type of SCORE_TYPES) {
    const [tenths, detail] = [row[type], details.get(type)];
    if (tenths !== null && detail !== undefined) scores.set(type, { value: tenths / TENTHS, ...detail });
  }
  return { scores, stressSeries: readStress(row) };
}

function readDetails({ details, packed_details: packed }: DetailColumns): Map<ScoreType, ScoreDetail> {
  if (details === null) return packed === null ? new Map() : unpackDetails(packed);
  return new Map(
    Object.entries(details).map(([type, { algorithm_version: algorithmVersion, computed_at: computedAt, ...rest }]) => [
      type as ScoreType,
      { ...rest, algorithmVersion, computedAt },
    ]),
  );
}

function readStress({ stress_series: series, packed_stress: packed }: StressColumns): ComputedStress[] {
  return series ?? (packed === null ? [] : unpackStress(packed));
}

export function toValues(row: ValueRow): ScoreValues {
  const entries = SCORE_TYPES.map((type) => [type, row[type] === null ? null : row[type] / TENTHS]);
  return Object.fromEntries(entries) as Record<ScoreType, number | null>;
}

function toTenths(value: number | null): number | null {
  return value === null ? null : Math.round(value * TENTHS);
}
