// Tests how long uploads and their responses are stored.

import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, describe, it } from 'node:test';
import { DAY_MS, HOUR_MS } from '../../src/domain/time/durations.ts';
import { tidyUploadsJob } from '../../src/features/intake/uploads/index.ts';
import { tidyRawPayloadsJob } from '../../src/features/store/raw-payloads/index.ts';
import { restrictProvider } from '../support/restrict-provider.ts';
import { createFrozenClock } from '../support/test-clock.ts';
import { startPhone } from '../support/test-phone.ts';
import { startTestService, type TestService } from '../support/test-service.ts';
import { createKey, createUser } from '../support/test-users.ts';

const running: TestService[] = [];
after(async () => {
  for (const service of running) await service.stop();
});

async function start(environment: Record<string, string> = {}) {
  const clock = createFrozenClock(new Date('2026-03-10T12:00:00Z'));
  const service = await startTestService({ clock, environment });
  running.push(service);
  const { services } = service.running;
  const user = await createUser(service.api());
  const count = async (table: 'raw_payloads' | 'uploads') => {
    const [row] = await services.db.query<{ count: number }>(
      `select count(*)::int as count from ${table} where user_id = $1`,
      [user.id],
    );
    return row?.count;
  };
  return { clock, service, services, user, count };
}

const SAMPLES = [{ metric: 'heart_rate', start: '2026-03-09T10:00:00Z', value: 60 }];

describe('raw payloads', () => {
  it('are deleted after 30 days by default', async () => {
    const { clock, service, services, user, count } = await start();
    const phone = await startPhone(service, user.id);
    await phone.upload({ samples: SAMPLES });
    clock.advance(HOUR_MS / 2);
    await phone.upload({ samples: SAMPLES });
    clock.advance(30 * DAY_MS - HOUR_MS / 2);
    await tidyRawPayloadsJob.run(services, {});
    assert.equal(await count('raw_payloads'), 2, 'not too early');
    clock.advance(1);
    await tidyRawPayloadsJob.run(services, {});
    assert.equal(await count('raw_payloads'), 1);
    clock.advance(HOUR_MS);
    await tidyRawPayloadsJob.run(services, {});
    assert.equal(await count('raw_payloads'), 0);
    const { body } = await service
      .api()
      .get(`/v1/users/${user.id}/daily?types=heart_rate&from_date=2026-03-09&to_date=2026-03-09`);
    assert.deepEqual(body.series.heart_rate, [60], 'the data read from them stays');
  });

  it('are deleted after TRIBUTARY_RAW_RETENTION_DAYS days', async () => {
    const { clock, service, services, user, count } = await start({ TRIBUTARY_RAW_RETENTION_DAYS: '2' });
    await (await startPhone(service, user.id)).upload({ samples: SAMPLES });
    clock.advance(2 * DAY_MS + 1);
    await tidyRawPayloadsJob.run(services, {});
    assert.equal(await count('raw_payloads'), 0);
  });

  it('are not stored at all with 0, and earlier ones are deleted', async () => {
    const { service, services, clock, user, count } = await start({ TRIBUTARY_RAW_RETENTION_DAYS: '0' });
    const { upload_id } = await (await startPhone(service, user.id)).upload({ samples: SAMPLES });
    assert.equal(await count('raw_payloads'), 0);
    assert.equal(await count('uploads'), 1);
    await services.db.query(
      `insert into raw_payloads (user_id, id, device, kind, context, received_at, payload)
       values ($1, $2, 1, 'sdk_upload', '{}', $3, 'x')`,
      [user.id, upload_id, clock.now()],
    );
    clock.advance(1);
    await tidyRawPayloadsJob.run(services, {});
    assert.equal(await count('raw_payloads'), 0);
  });

  it('are deleted however many there are', async () => {
    const { clock, services, user, count } = await start();
    await services.db.query(
      `insert into raw_payloads (user_id, id, device, kind, context, received_at, payload)
       select $1, gen_random_uuid(), 1, 'sdk_upload', '{}', $2, 'x' from generate_series(1, 1200)`,
      [user.id, clock.now()],
    );
    clock.advance(31 * DAY_MS);
    await tidyRawPayloadsJob.run(services, {});
    assert.equal(await count('raw_payloads'), 0);
  });
});

describe('responses to uploads', () => {
  it('are returned again for 90 days; after that a retry changes nothing either', async () => {
    const { clock, service, services, user, count } = await start();
    const phone = await startPhone(service, user.id);
    const body = { upload_id: randomUUID(), source: { provider: 'apple_health', id: 'watch-1' }, samples: SAMPLES };
    assert.equal((await phone.send(body)).body.accepted, 1);
    clock.advance(90 * DAY_MS);
    await tidyUploadsJob.run(services, {});
    assert.equal(await count('uploads'), 1);
    clock.advance(1);
    await tidyUploadsJob.run(services, {});
    assert.equal(await count('uploads'), 0);
    const key = await createKey(service, 'default', 'live'); // the first key has expired as well
    const late = await (await startPhone(service, user.id, { key })).send(body);
    assert.deepEqual([late.status, late.body.accepted, late.body.duplicates], [200, 0, 1]);
  });
});

describe('raw payloads of a provider whose terms limit storage', () => {
  it('are deleted after the days of the provider, and those of other providers are not', async (t) => {
    const { clock, services, user, count } = await start();
    const insert = (provider: string) =>
      services.db.query(
        `insert into raw_payloads (user_id, id, device, kind, context, received_at, payload)
         values ($1, $2, 1, 'provider_page', $3, $4, '')`,
        [user.id, randomUUID(), { provider }, clock.now()],
      );
    await insert('oura');
    await insert('polar');
    restrictProvider(t, 'oura', ['retention'], 7);
    clock.advance(7 * DAY_MS);
    await tidyRawPayloadsJob.run(services, {});
    assert.equal(await count('raw_payloads'), 2, 'not too early');
    clock.advance(1);
    await tidyRawPayloadsJob.run(services, {});
    assert.equal(await count('raw_payloads'), 1);
  });
});
