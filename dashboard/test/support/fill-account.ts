// Fills the live environment of an account as a month of use does: users with devices, calls, events, deliveries and counters.
import type { Database } from '../../../server/src/platform/db/database.ts';

const USERS = 1_000;
const CALLS = 20_000;
const EVENTS = 20_000;
const DAYS = 30;

/** `$1` is the account. */
const STATEMENTS = [
  `insert into users (id, account_id, environment, reference_id, score_status, created_at, last_sync_at)
   select gen_random_uuid(), $1, 'live', 'person-' || n, 'ready', now() - n * interval '40 minutes', now() from generate_series(1, ${USERS}) n`,
  `update account_environments set user_count = ${USERS} where account_id = $1 and environment = 'live'`,
  `insert into devices (user_id, id, provider, status, number, transport, device_class, connected_at, last_sync_at)
   select u.id, gen_random_uuid(), p.provider, case when p.number = 3 and abs(hashtext(u.id::text)) % 50 = 0 then 'reauthorize' else 'active' end,
          p.number, p.transport, p.class, now() - interval '20 days', now()
     from users u, (values (1, 'apple_health', 'sdk', 'app'), (2, 'apple_health', 'sdk', 'wrist'), (3, 'oura', 'cloud', 'ring'), (4, 'withings', 'cloud', 'scale'))
       p (number, provider, transport, class)
    where u.account_id = $1`,
  `insert into synced_devices (user_id, device_id, account_id, environment, provider, app_id, due_at, backoff_until, failures)
   select d.user_id, d.id, $1, 'live', d.provider, 'own', now() + interval '1 day',
          case when abs(hashtext(d.id::text)) % 20 = 0 then now() + interval '1 day' end, 0
     from devices d join users u on u.id = d.user_id and u.account_id = $1 where d.transport = 'cloud'`,
  `insert into request_blocks (account_id, environment, span, size, first_at, last_at, failures, max_ms, routes, users, id_hashes, calls, is_merged)
   select $1, 'live', count(*), count(*), min(c.at), max(c.at), 0, 20, '{/v1/users/:id/daily}', array_agg(c.user_id order by c.n), array_agg(0), json_build_array(
          json_build_object('method', 'GET', 'route', '/v1/users/:id/daily', 'status', 200, 'error', null, 'credential_kind', 'api_key', 'agent', 'backend/1.0',
            'paths', array['/v1/users/{id}/daily?metrics=steps'], 'credentials', array['key'], 'place', array_agg(c.place order by c.n),
            'ids', string_agg('req_' || c.n, ',' order by c.n), 'at', array_agg(extract(epoch from c.at) * 1000 order by c.n), 'ms', array_agg(random() * 20),
            'bytes', array_agg(2000), 'path', array_agg(0), 'credential', array_agg(0), 'user', array_agg(c.place order by c.n))), true
     from (select n, (n - 1) % 1000 as place, now() - (${CALLS} - n) * interval '30 seconds' as at, u.id as user_id
             from generate_series(1, ${CALLS}) n join (select id, row_number() over () - 1 as number from users where account_id = $1) u on u.number = n % ${USERS}) c
    group by (c.n - 1) / 1000 order by min(c.n)`,
  `insert into feed_events (account_id, environment, position, id, user_id, type, body, published_at)
   select $1, 'live', n, gen_random_uuid(), u.id, 'data.updated', repeat('x', 400), now() - (${EVENTS} - n) * interval '${DAYS} days' / ${EVENTS}
     from generate_series(1, ${EVENTS}) n join (select id, row_number() over () - 1 as number from users where account_id = $1) u on u.number = n * 7 % ${USERS}`,
  `insert into feed_heads (account_id, environment, position) values ($1, 'live', ${EVENTS})
   on conflict (account_id, environment) do update set position = excluded.position`,
  `insert into webhooks (id, account_id, environment, url, events, description, secret, created_at, last_delivery_at, failing_since)
   select gen_random_uuid(), $1, 'live', 'https://customer-' || n || '.example/events', '{data.updated}', 'Endpoint ' || n, '', now() - interval '30 days',
          now(), case when n = 3 then now() - interval '1 hour' end
     from generate_series(1, 3) n`,
  `insert into webhook_deliveries (webhook_id, id, user_id, event_id, event_type, account_id, environment, position, status, attempt_count, due_at, created_at, attempts)
   select w.id, gen_random_uuid(), e.user_id, e.id, e.type, $1, 'live', e.position,
          case when w.failing_since is null or e.position < ${EVENTS} - 500 then 'succeeded' else 'pending' end, 1,
          case when w.failing_since is null or e.position < ${EVENTS} - 500 then null else now() + interval '1 day' end, e.published_at,
          '[{"at": "2026-01-01T00:00:00Z", "status": 500, "error": "answered 500", "durationMs": 20}]'
     from webhooks w, feed_events e where w.account_id = $1 and e.account_id = $1 and e.position > ${EVENTS} * 3 / 4`,
  counters('usage_minutes', 'minute', '2 days'),
  counters('usage_hours', 'hour', `${DAYS} days`),
];

/** Twelve counters: calls by two keys, uploads, readings, four types of events, two sources and two webhooks. */
function counters(table: string, unit: string, age: string): string {
  return `insert into ${table} (account_id, environment, at, kind, key, n, bad, ms_sum)
   select $1, 'live', at, c.kind, c.key, 40, 1, 200
     from generate_series(date_trunc('${unit}', now() - interval '${age}', 'UTC'), now() - interval '1 ${unit}', interval '1 ${unit}') at,
          (values ('request', 'one'), ('request', 'two'), ('upload', 'phone'), ('reading', 'phone'), ('event', 'data.updated'), ('event', 'score.updated'),
             ('event', 'device.connected'), ('event', 'user.created'), ('source', 'phone'), ('source', 'oura'), ('delivery', 'one'), ('delivery', 'two'))
            c (kind, key)
   on conflict (account_id, environment, at, kind, key) do nothing`;
}

export async function fillAccount(db: Database, accountId: string): Promise<void> {
  for (const text of STATEMENTS) await db.query(text, [accountId]);
  await db.query('analyze'); // as autovacuum would have done by then
}
