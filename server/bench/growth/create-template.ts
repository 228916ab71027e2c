// The user that the others are copies of: two days of heart rate, a month of daily values, scores, and a webhook of its account.
import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import type { AccountId, UserId } from '../../src/domain/tenancy.ts';
import { scoreQueuedDays } from '../../src/features/pipeline/scoring/index.ts';
import { lockUser } from '../../src/features/tenancy/user-core/index.ts';
import type { BenchService } from '../support/bench-service.ts';
import { createUsers, openSessions } from '../support/create-users.ts';
import type { Filled } from './fill-users.ts';

const MINUTES = 2_880;
const FIRST_MS = Date.UTC(2026, 0, 15);
const DAYS = 31;
const KEPT_SCORES = 3;

export async function createTemplate(service: BenchService, own: pg.Client): Promise<Filled> {
  const [template = ''] = await createUsers(service, 1);
  const [token] = await openSessions(service, [template]);
  const source = { provider: 'apple_health', id: 'watch-1', name: 'Watch', device_class: 'wrist' };
  const samples = Array.from({ length: MINUTES }, (_, minute) => ({
    metric: 'heart_rate',
    start: new Date(FIRST_MS + minute * 60_000).toISOString(),
    value: 55 + ((minute * 7) % 60),
    unit: 'bpm',
  }));
  const daily = Array.from({ length: DAYS }, (_, day) => {
    const date = new Date(Date.UTC(2026, 0, 1 + day)).toISOString().slice(0, 10);
    return [
      { metric: 'steps', date, value: 8_000 + day, unit: 'count' },
      { metric: 'resting_heart_rate', date, value: 55 + (day % 5), unit: 'bpm' },
    ];
  }).flat();
  await service.call('POST', '/v1/sdk/uploads', { upload_id: randomUUID(), source, samples, daily }, token);
  const { rows } = await own.query<{ account_id: string }>('select account_id from users where id = $1', [template]);
  const accountId = rows[0]?.account_id ?? '';
  const tenant = { accountId: accountId as AccountId, environment: 'live' as const };
  await service.db.transaction(async (tx) => {
    const locked = await lockUser(tx, tenant, template as UserId);
    if (locked !== null) await scoreQueuedDays(tx, locked.handle, new Date());
  });
  // A few days are enough to be found, and keep the copies small.
  for (const table of ['scores', 'score_inputs'])
    await own.query(`delete from ${table} where date < (select max(date) - ${KEPT_SCORES - 1} from ${table})`);
  const fields = { url: 'http://127.0.0.1:9/receive', events: ['data.updated'] };
  await service.call('POST', '/v1/webhooks', fields);
  const webhooks = await own.query<{ id: string }>('select id from webhooks');
  return { accountId, webhookId: webhooks.rows[0]?.id ?? '', template };
}
