// kill -9 during a rotation of the master key: every next start opens everything with the key in the folder.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { readMasterKeyFile, readServiceAddress } from '../../src/platform/data-folder.ts';
import { callOperatorSocket } from '../../src/platform/operator-socket.ts';
import { OWN_DATABASE, openServiceHarness, type ReadyService } from '../support/service-process.ts';
import { createApi } from '../support/test-api.ts';
import { createTestDatabase } from '../support/test-database.ts';
import { planKills } from './kill-plan.ts';
import { createRandom } from './random.ts';

const KILLS = planKills({ inProof: 200 });
const SEED = Number(process.env.FAULT_SEED ?? 1);
const LONGEST_ROTATION_MS = 60;

describe('kill -9 during a rotation of the master key', () => {
  it(`leaves a deployment that starts, over ${KILLS.description}`, async (t) => {
    const harness = await openServiceHarness(t, OWN_DATABASE);
    const database = await createTestDatabase();
    harness.beforeRemoval(() => database.drop());
    const random = createRandom(t, SEED);
    const start = () => harness.start({ environment: { DATABASE_URL: database.url } }).ready();
    let service = await start();
    const key = service.keys.live;
    const userId = (await createApi(service.url, key).post('/v1/users', { reference_id: 'ada' })).body.data.id;
    const token = await issueToken(service, key, userId);
    let replaced = 0;

    for (let round = 0; KILLS.goesOn(); round += 1) {
      const before = readMasterKeyFile(harness.dataDir).fingerprint;
      const rotation = rotate(harness.dataDir);
      await delay(random.integer(0, LONGEST_ROTATION_MS));
      await service.end('SIGKILL');
      KILLS.count((await rotation) === null);
      if (readMasterKeyFile(harness.dataDir).fingerprint !== before) replaced += 1;
      service = await start();
      assert.equal((await createApi(service.url, token).get('/v1/users')).status, 403, `round ${round}: known`);
      await issueToken(service, key, userId);
    }
    KILLS.assertHit();
    t.diagnostic(`${KILLS.hits()} kills met a rotation; ${replaced} had replaced the file`);
    assert.equal((await rotate(harness.dataDir))?.status, 200);
    await issueToken(service, key, userId);
  });
});

async function issueToken(service: ReadyService, key: string, userId: string): Promise<string> {
  const answer = await createApi(service.url, key).post('/v1/auth/user-token', { user_id: userId });
  assert.equal(answer.status, 200, answer.text);
  return answer.body.token;
}

/** Null when the service was killed during the call. */
async function rotate(dataDir: string) {
  const address = readServiceAddress(dataDir) ?? assert.fail('no address');
  const options = { method: 'POST', body: { new_key: null } };
  return callOperatorSocket(dataDir, address, '/admin/master-key/rotate', options);
}
