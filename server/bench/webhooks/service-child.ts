// The service with its webhooks and their events.
import pg from 'pg';
import { answerParent } from '../support/bench-child.ts';
import { type BenchService, startBenchService } from '../support/bench-service.ts';
import { createUsers, openSessions } from '../support/create-users.ts';

export type DeliveryFacts = {
  readonly url: string;
  readonly databaseVersion: string;
  readonly webhookIds: readonly string[];
  readonly tokens: readonly string[];
};

const PATIENCE_MS = 20;

let service: BenchService | undefined;
let db: pg.Pool | undefined;
let userId = '';
let webhookIds: string[] = [];

function running(): { service: BenchService; db: pg.Pool } {
  if (!service || !db) throw new Error('not started');
  return { service, db };
}

async function setStatus(status: 'active' | 'disabled'): Promise<void> {
  for (const id of webhookIds) await running().service.call('PATCH', `/v1/webhooks/${id}`, { status });
}

answerParent(
  {
    async start({ port, endpoints, phones }: { port: number; endpoints: number; phones: number }) {
      service = await startBenchService(undefined, { TRIBUTARY_ALLOW_PRIVATE_WEBHOOKS: '1' });
      const { max: _, ...connection } = service.facts.pool;
      db = new pg.Pool({ ...connection, max: 2 });
      const userIds = await createUsers(service, phones + 1);
      userId = userIds[0] ?? '';
      const tokens = await openSessions(service, userIds.slice(1));
      for (let index = 0; index < endpoints; index += 1) {
        const made = await service.call<{ data: { id: string } }>('POST', '/v1/webhooks', {
          url: `http://127.0.0.1:${port}/${index}`,
          events: ['*'],
        });
        webhookIds = [...webhookIds, made.data.id];
      }
      return { url: service.facts.url, databaseVersion: service.facts.databaseVersion, webhookIds, tokens };
    },
    /** Publishes events whose deliveries wait because the webhooks are paused. Returns their bodies. */
    async prepare({ events }: { events: number }): Promise<string[]> {
      await setStatus('disabled');
      await running().db.query(
        `insert into event_outbox (user_id, id, account_id, environment, type, metrics, from_date, to_date, created_at)
         select u.id, gen_random_uuid(), u.account_id, u.environment, 'data.updated',
                '{steps,heart_rate,active_calories,distance}', '2026-03-01', '2026-03-02', now()
           from users u, generate_series(1, $2) where u.id = $1`,
        [userId, events],
      );
      for (;;) {
        const { rows } = await running().db.query('select exists (select from event_outbox) as waits');
        if (rows[0]?.waits === false) break;
        await new Promise((resolve) => setTimeout(resolve, PATIENCE_MS));
      }
      const { rows } = await running().db.query<{ body: string }>(
        'select body from feed_events where user_id = $1 order by position desc limit $2',
        [userId, events],
      );
      return rows.map(({ body }) => body);
    },
    release: () => setStatus('active'),
    /** Only for measurements of the first attempt of an event. */
    async countWaiting(): Promise<number> {
      const { rows } = await running().db.query<{ count: number }>(
        `select count(*)::int as count from webhook_deliveries where status = 'pending'`,
      );
      return rows[0]?.count ?? 0;
    },
    /** When each event was created, by its own timestamp. */
    async readEvents({ since }: { since: string }): Promise<[string, number][]> {
      const { rows } = await running().db.query<{ id: string; at: string }>(
        `select id, body::jsonb ->> 'timestamp' as at from feed_events where published_at >= $1`,
        [since],
      );
      return rows.map(({ id, at }) => [id, Date.parse(at)]);
    },
  },
  async () => {
    await db?.end();
    await service?.stop();
  },
);
