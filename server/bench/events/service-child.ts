// The service with a feed of a hundred thousand events.
import pg from 'pg';
import { answerParent } from '../support/bench-child.ts';
import { type BenchService, startBenchService } from '../support/bench-service.ts';
import { createUsers } from '../support/create-users.ts';

export type FeedFacts = {
  readonly url: string;
  readonly key: string;
  readonly databaseVersion: string;
  readonly connection: pg.ClientConfig;
  readonly connections: number;
  /** Cursors into the feed, one page apart. */
  readonly cursors: readonly string[];
};

const USERS = 100;

let service: BenchService | undefined;

answerParent(
  {
    async start({ events, page }: { events: number; page: number }): Promise<FeedFacts> {
      service = await startBenchService();
      const { max = 1, ...connection } = service.facts.pool;
      await createUsers(service, USERS);
      const client = new pg.Client(connection);
      await client.connect();
      await client.query(
        `insert into event_outbox (user_id, id, account_id, environment, type, device_id, metrics, from_date, to_date, created_at)
         select u.id, gen_random_uuid(), u.account_id, u.environment, 'data.updated', gen_random_uuid(),
                '{steps,heart_rate,active_calories,distance}', '2026-03-01', '2026-03-02', now()
           from generate_series(1, $1::int / $2::int) n, (select * from users limit $2) u`,
        [events, USERS],
      );
      const cursors: string[] = [];
      let cursor = '';
      for (let count = 0; count < events - page; ) {
        const query = cursor === '' ? '' : `&cursor=${cursor}`;
        const answer = await service.call<{ events: unknown[]; cursor: string; has_more: boolean }>(
          'GET',
          `/v1/events?limit=${page}${query}`,
        );
        if (answer.events.length < page && !answer.has_more) {
          await new Promise((resolve) => setTimeout(resolve, 100)); // events are still being published
          continue;
        }
        cursor = answer.cursor;
        cursors.push(cursor);
        count += page;
      }
      await client.query('vacuum analyze feed_events');
      await client.end();
      const { url, key, databaseVersion } = service.facts;
      return { url, key, databaseVersion, connection, connections: max, cursors };
    },
  },
  async () => service?.stop(),
);
