// Reads everything that is stored about a user or an account, without what differs between two that did the same.
import { DAY_MS } from '../../src/domain/time/durations.ts';
import { type Database, type Statement, statement } from '../../src/platform/db/database.ts';

export type StoredRows = Readonly<Record<string, readonly string[]>>;

/** Random, sealed with a random nonce, counted over all users, or measured. */
const DIFFERS = /^(seq|secret|secret_hash|previous_secret|sealed_\w+|last_four|request_id|ms)$/;
/** Written in the background, and lost rather than waited for. */
const BEST_EFFORT = ['request_blocks', 'usage_minutes', 'usage_hours', 'usage_days'];
/** A background loop moves the entries of the audit trail, at a time of its own. */
const MOVED = ['audit_inbox', 'audit_salts'];
const UUID = /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;
const KEYED_HASH = /sha256:[\w-]+/g;
const LAST_FOUR = /"last_four":"[^"]*"/g;
const DURATION = /"durationMs":\d+/g;
const TIME = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|\+00:00)/g;

/**
 * By table, sorted. `owners`: ids of users and accounts. Tests use frozen clocks, so that a time of the present is the database's
 * and differs; `ignoresTimes` is for operations whose retry comes later.
 */
export async function readStoredRows(
  db: Database,
  owners: readonly string[],
  { ignoresTimes = false } = {},
): Promise<StoredRows> {
  const rows = await db.query<{ table: string; row: Record<string, unknown> }>(await selectOwned(db), [owners]);
  const texts = rows.map(({ table, row }) => [table, normalize(row, ignoresTimes)] as const);
  const byTable = Map.groupBy(texts, ([table]) => table);
  return Object.fromEntries([...byTable].sort().map(([table, all]) => [table, all.map(([, text]) => text).sort()]));
}

function normalize(row: Record<string, unknown>, ignoresTimes: boolean): string {
  const kept = Object.fromEntries(Object.entries(row).filter(([column]) => !DIFFERS.test(column)));
  return JSON.stringify(kept)
    .replace(UUID, '<id>')
    .replace(KEYED_HASH, '<hash>')
    .replace(DURATION, '"durationMs":0')
    .replace(LAST_FOUR, '"last_four":""')
    .replace(TIME, (time) => (ignoresTimes || isPresent(time) ? '<time>' : time));
}

function isPresent(time: string): boolean {
  return Math.abs(Date.parse(time) - Date.now()) < 30 * DAY_MS;
}

const OWNERS = ['user_id', 'account_id'];
const NAMED_BY_ID = ['users', 'accounts'];

const selectOf = new WeakMap<Database, Statement>();

/** One statement over all tables that name an owner. */
async function selectOwned(db: Database): Promise<Statement> {
  const known = selectOf.get(db) ?? statement('read_owned_rows', await makeSelect(db));
  selectOf.set(db, known);
  return known;
}

async function makeSelect(db: Database): Promise<string> {
  const columns = await db.query<{ table: string; names: string[] }>(
    `select c.table_name as table, array_agg(c.column_name::text) as names
       from information_schema.columns c where c.table_schema = 'public' and c.data_type = 'uuid' group by 1 order by 1`,
  );
  const selects = columns.flatMap(({ table, names }) => {
    const owners = names.filter((name) => OWNERS.includes(name) || (name === 'id' && NAMED_BY_ID.includes(table)));
    if (owners.length === 0 || [...BEST_EFFORT, ...MOVED].includes(table)) return [];
    const conditions = owners.map((name) => `t.${name} = any($1::uuid[])`).join(' or ');
    return [`select '${table}' as table, to_jsonb(t) as row from ${table} t where ${conditions}`];
  });
  selects.push(
    `select 'jobs' as table, jsonb_build_object('task', task_id, 'payload', payload, 'key', key) as row
       from graphile_worker._private_jobs as t
      where exists (select from unnest($1::text[]) id where payload::text like '%' || id || '%')`,
  );
  return selects.join('\nunion all\n');
}
