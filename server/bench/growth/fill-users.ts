// Adds users by copying the rows of one that was created through the API, with what the service keeps for a time: uploads, raw
// payloads, events and deliveries, of which one in twenty is past its retention.
import type pg from 'pg';

export type Filled = { readonly accountId: string; readonly webhookId: string; readonly template: string };

const COPIED_AT_A_TIME = 2_000;
const PER_USER = { uploads: 5, payloads: 5, events: 10, deliveries: 5 };
/** One in twenty is past its retention. */
const DAYS = `(case when abs(hashtext(n.id::text || k)) % 20 = 0 then 120 else 10 end * interval '1 day')`;
const AGE = `now() - ${DAYS}`;

const HEALTH_TABLES = ['user_zones', 'sample_blocks', 'daily_months', 'device_months', 'scores', 'score_inputs'];

/** Copies all columns, so that a new column needs no change here. */
export async function prepareCopies(client: pg.Client): Promise<readonly string[]> {
  const copies: string[] = [];
  for (const table of ['users', 'devices', 'scoring_queue', ...HEALTH_TABLES]) {
    const { rows } = await client.query<{ name: string }>(
      `select attname as name from pg_attribute where attrelid = $1::regclass and attnum > 0 and not attisdropped and attgenerated = '' order by attnum`,
      [table],
    );
    const names = rows.map(({ name }) => name);
    const values = names.map((name) => OVERRIDES[`${table}.${name}`] ?? OVERRIDES[name] ?? `t.${name}`);
    const owner = table === 'users' ? 'id' : 'user_id';
    copies.push(
      `insert into ${table} (${names.join(', ')}) select ${values.join(', ')} from unnest($2::uuid[]) n(id), ${table} t where t.${owner} = $1`,
    );
  }
  return copies;
}

const OVERRIDES: Readonly<Record<string, string>> = {
  user_id: 'n.id',
  'users.id': 'n.id',
  'users.reference_id': `'person-' || n.id`,
  'users.created_at': `now() - (abs(hashtext(n.id::text)) % 1000000) * interval '1 s'`,
  'users.last_sync_at': 'now()',
  'devices.id': 'gen_random_uuid()',
  'scoring_queue.due_at': `now() + interval '1 day'`,
  'scoring_queue.claimed_until': 'null',
};

const KEPT_FOR_A_TIME = [
  `insert into uploads (user_id, upload_id, device, body_hash, answer, received_at)
   select n.id, gen_random_uuid(), 1, sha256('x'), '{"upload_id": "", "accepted_count": 5, "rejected_count": 0}', ${AGE}
     from unnest($1::uuid[]) n(id), generate_series(1, ${PER_USER.uploads}) k`,
  `insert into raw_payloads (user_id, id, device, kind, context, received_at, payload)
   select n.id, gen_random_uuid(), 1, 'sdk_upload', '{}', ${AGE}, sha512(n.id::text::bytea) || sha512(k::text::bytea)
     from unnest($1::uuid[]) n(id), generate_series(1, ${PER_USER.payloads}) k`,
  `with head as (insert into feed_heads as h (account_id, environment, position) values ($2, 'live', cardinality($1::uuid[]) * ${PER_USER.events})
      on conflict (account_id, environment) do update set position = h.position + excluded.position returning position)
   insert into feed_events (account_id, environment, position, id, user_id, type, body, published_at)
   select $2, 'live', head.position - row_number() over () + 1, gen_random_uuid(), n.id, 'data.updated',
          '{"id":"' || gen_random_uuid() || '","type":"data.updated","user_id":"' || n.id || '","metrics":["heart_rate","steps"]}', now()
     from head, unnest($1::uuid[]) n(id), generate_series(1, ${PER_USER.events}) k`,
  `insert into webhook_deliveries (webhook_id, id, user_id, event_id, event_type, account_id, environment, position, status, due_at, created_at)
   select $3, uuidv7(-${DAYS}), n.id, gen_random_uuid(), 'data.updated', $2, 'live', 1,
          case when k = 1 and abs(hashtext(n.id::text)) % 5 = 0 then 'pending' else 'succeeded' end,
          case when k = 1 and abs(hashtext(n.id::text)) % 5 = 0 then now() end, ${AGE}
     from unnest($1::uuid[]) n(id), generate_series(1, ${PER_USER.deliveries}) k`,
];

/** Of each statement: users, account, webhook. */
const PARAMETERS = [1, 1, 2, 3];

export async function addUsers(
  client: pg.Client,
  { accountId, webhookId, template }: Filled,
  copies: readonly string[],
  count: number,
): Promise<string[]> {
  const ids: string[] = [];
  for (let added = 0; added < count; added += COPIED_AT_A_TIME) {
    const { rows } = await client.query<{ id: string }>(
      'select gen_random_uuid() as id from generate_series(1, $1::int)',
      [Math.min(COPIED_AT_A_TIME, count - added)],
    );
    const some = rows.map(({ id }) => id);
    for (const text of copies) await client.query(text, [template, some]);
    for (const [index, text] of KEPT_FOR_A_TIME.entries())
      await client.query(text, [some, accountId, webhookId].slice(0, PARAMETERS[index]));
    ids.push(...some);
  }
  await client.query(
    `update account_environments set user_count = user_count + $2 where account_id = $1 and environment = 'live'`,
    [accountId, count],
  );
  await client.query('vacuum analyze');
  return ids;
}

/** The feed is removed by position, so its oldest events are its first. */
export const AGE_FEED = `update feed_events e set published_at = now() - interval '120 days' from feed_heads h
  where e.account_id = h.account_id and e.environment = h.environment
    and e.position <= h.removed_through + (h.position - h.removed_through) / 20`;

/** Gives a user more history: the same days again, further back. */
export const LENGTHEN = [
  `insert into daily_months (user_id, month, payload) select user_id, month - back, payload from daily_months, generate_series(1, $2::int / 30) back
    where user_id = any($1) on conflict do nothing`,
  `insert into device_months (user_id, month, device, payload) select user_id, month - back, device, payload
     from device_months, generate_series(1, $2::int / 30) back where user_id = any($1) on conflict do nothing`,
  `insert into sample_blocks (user_id, min, max, sum, block, revision, count, first_ms, last_ms, reach_seconds, metric, device, payload)
   select user_id, min, max, sum, block - 4 * back, revision, count, first_ms, last_ms, reach_seconds, metric, device, payload
     from sample_blocks, generate_series(1, $2::int) back where user_id = any($1) on conflict do nothing`,
  `insert into scores (user_id, date, recovery_score, strain_score, sleep_score, packed_details)
   select user_id, date - back, recovery_score, strain_score, sleep_score, packed_details from scores, generate_series(1, $2::int) back
    where user_id = any($1) on conflict do nothing`,
];
