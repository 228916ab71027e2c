// Two processes on one database whose clocks differ by some seconds.
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, it } from 'node:test';
import { MINUTE_MS, SECOND_MS } from '../../src/domain/time/durations.ts';
import { formatMasterKey, generateMasterKey } from '../../src/platform/crypto/master-key.ts';
import { createFrozenClock } from '../support/test-clock.ts';
import { createTestDatabase } from '../support/test-database.ts';
import { startPhone } from '../support/test-phone.ts';
import { startTestService } from '../support/test-service.ts';
import { createUser } from '../support/test-users.ts';

const NOW = new Date('2026-03-10T12:00:00Z');
const database = await createTestDatabase();
const clocks = [createFrozenClock(NOW), createFrozenClock(new Date(NOW.getTime() + 5 * SECOND_MS))] as const;
const environment = { TRIBUTARY_MASTER_KEY: formatMasterKey(generateMasterKey()) };
const options = { role: 'api', databaseUrl: database.url, environment } as const;
const slow = await startTestService({ ...options, clock: clocks[0] });
const fast = await startTestService({ ...options, clock: clocks[1] });
after(async () => {
  await slow.stop();
  await fast.stop();
  await database.drop();
});
const key = slow.keys.live;

it('a source that one process deleted is back with a session that the other creates afterwards', async () => {
  const user = await createUser(slow.api());
  const upload = () => ({
    upload_id: randomUUID(),
    source: { provider: 'apple_health', id: 'watch-1' },
    samples: [{ metric: 'heart_rate', start: '2026-03-09T10:00:00Z', value: 60 }],
  });
  const first = await startPhone(fast, user.id, { key });
  assert.equal((await first.send(upload())).body.accepted, 1);
  for (const clock of clocks) clock.advance(MINUTE_MS);
  const second = await startPhone(slow, user.id);
  for (const clock of clocks) clock.advance(MINUTE_MS);
  const [device] = (await slow.api().get(`/v1/users/${user.id}/devices`)).body.data;
  assert.equal((await fast.api(key).delete(`/v1/users/${user.id}/devices/${device.id}`)).status, 204);
  for (const earlier of [first, second])
    assert.equal((await earlier.send(upload())).body.rejected[0].error, 'device_disconnected');
  const later = await startPhone(slow, user.id);
  assert.deepEqual((await later.send(upload())).body.rejected, []);
});
