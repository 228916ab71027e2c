// The four tables that lose rows by age, with their keys, as the service reads them.

export type Shape = {
  readonly table: string;
  /** Days until a row is removed. */
  readonly keptDays: number;
  readonly columns: string;
  /** Without the key; the partitioned form has `age` in each unique index. */
  readonly indexes: readonly string[];
  readonly key: string;
  readonly age: string;
  /** Makes the rows of day $1, of $2 users with $3 rows each; ids follow from these numbers. */
  readonly fill: string;
  /** With $1: a day, $2: a user, $3: a row. */
  readonly reads: Readonly<Record<string, string>>;
};

const uuid = (text: string) => `md5(${text})::uuid`;
const USER = uuid(`'u' || u`);
const ROW = uuid(`'r' || $1::int || '/' || u || '/' || n`);
const ONE_USER = uuid(`'u' || $2::int`);
const ONE_ROW = uuid(`'r' || $1::int || '/' || $2::int || '/' || $3::int`);
const ACCOUNT = uuid(`'a'`);
const AT = `'2026-01-01'::timestamptz + ($1::int * 86400 + u % 86400) * interval '1 s'`;
const FROM = 'from generate_series(1, $2::int) u, generate_series(1, $3::int) n';
const POSITION = '($1::bigint * $2::int + u) * $3::int + n';

export const SHAPES: readonly Shape[] = [
  {
    table: 'uploads',
    keptDays: 90,
    columns:
      'user_id uuid not null, upload_id uuid not null, device smallint not null, body_hash bytea not null, answer jsonb not null, at timestamptz not null',
    indexes: ['(user_id, at)'],
    key: 'user_id, upload_id',
    age: 'at',
    fill: `select ${USER}, ${ROW}, 1, decode(md5('h' || u), 'hex'), '{"upload_id": "0190a000-0000-7000-8000-00000000000a", "accepted": {"samples": 60, "daily": 2, "sleep": 0, "workouts": 0}, "rejected": []}'::jsonb, ${AT} ${FROM}`,
    reads: { 'one by its key': `select answer from TABLE where user_id = ${ONE_USER} and upload_id = ${ONE_ROW}` },
  },
  {
    table: 'raw_payloads',
    keptDays: 30,
    columns:
      'user_id uuid not null, id uuid not null, device smallint not null, kind text not null, context jsonb not null, payload bytea not null, at timestamptz not null',
    indexes: [],
    key: 'user_id, id',
    age: 'at',
    fill: `select ${USER}, ${ROW}, 1, 'sdk_upload', '{}'::jsonb, (select string_agg(sha512((u || '/' || n || '/' || k)::bytea), ''::bytea) from generate_series(1, 48) k), ${AT} ${FROM}`,
    reads: { 'one by its key': `select length(payload) from TABLE where user_id = ${ONE_USER} and id = ${ONE_ROW}` },
  },
  {
    table: 'feed_events',
    keptDays: 90,
    columns:
      'account_id uuid not null, environment text not null, position bigint not null, id uuid not null, user_id uuid not null, type text not null, body text not null, at timestamptz not null',
    indexes: ['(id)', '(account_id, environment, type, position)', '(user_id, position)'],
    key: 'account_id, environment, position',
    age: 'at',
    fill: `select ${ACCOUNT}, 'live', ${POSITION}, ${ROW}, ${USER}, 'data.updated', repeat('x', 400), ${AT} ${FROM}`,
    reads: {
      'a page of 100': `select body from TABLE where account_id = ${ACCOUNT} and environment = 'live' and position > ($1::bigint + $2::int) and $3::int > 0 order by position limit 100`,
      'one by its id': `select body from TABLE where id = ${ONE_ROW}`,
    },
  },
  {
    table: 'webhook_deliveries',
    keptDays: 30,
    columns:
      'webhook_id uuid not null, id uuid not null, user_id uuid, event_id uuid not null, status text not null, due_at timestamptz, attempts jsonb not null, at timestamptz not null',
    indexes: [`(webhook_id, due_at) where status = 'pending'`, '(user_id, id)'],
    key: 'webhook_id, id',
    age: 'at',
    fill: `select ${ACCOUNT}, ${ROW}, ${USER}, ${ROW}, 'succeeded', null, '[{"at": "2026-01-01T00:00:00Z", "status": 200, "duration_ms": 12}]'::jsonb, ${AT} ${FROM}`,
    reads: {
      'first pending': `select id from TABLE where webhook_id = ${ACCOUNT} and status = 'pending' and due_at <= now() and $1::int + $2::int + $3::int > 0 order by due_at limit 10`,
      'one by its key': `select status from TABLE where webhook_id = ${ACCOUNT} and id = ${ONE_ROW} and $2::int > 0`,
    },
  },
];
