// The connection to the database is lost at every statement and commit that rotates a key.
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { FIRST_START, rotateApiKey } from '../../src/features/tenancy/accounts/index.ts';
import { createSecretEnvelope } from '../../src/platform/crypto/secret-envelope.ts';
import { loadOrMakeMasterKey } from '../../src/platform/data-folder.ts';
import type { Database } from '../../src/platform/db/database.ts';
import {
  createKeyKeeper,
  createKeyring,
  type MasterKeySource,
  masterKeySource,
} from '../../src/platform/keyring/index.ts';
import { createLogger } from '../../src/platform/log.ts';
import { failEverywhere } from '../support/failpoints.ts';
import { openTestDatabase } from '../support/test-database.ts';
import { startTestService } from '../support/test-service.ts';
import { createAccount } from '../support/test-users.ts';

const log = createLogger('silent');
const service = await startTestService({ role: 'api' });
after(() => service.stop());
const { services } = service.running;

describe('a rotation of the master key that loses its database', () => {
  type World = { readonly source: MasterKeySource; readonly sealed: Buffer; isAnswered: boolean };

  it('leaves a deployment that starts, and ends with one master key when it is repeated', async (t) => {
    const db = await openTestDatabase(t);
    const folders: string[] = [];
    t.after(() => Promise.all(folders.map((folder) => rm(folder, { recursive: true }))));
    await failEverywhere<World>(t, {
      db,
      atLeast: { statements: 20, commits: 2 },
      async prepare() {
        await db.query('truncate master_keys, data_keys, wrapped_keys');
        const folder = await mkdtemp(join(tmpdir(), 'tributary-keys-'));
        folders.push(folder);
        loadOrMakeMasterKey(folder);
        const source = masterKeySource({ masterKey: null, dataDir: folder });
        const { envelope } = await start(db, source);
        return { source, sealed: envelope.seal('secret', 'a'), isAnswered: false };
      },
      async run(world, failing) {
        const { keeper } = await start(failing, world.source);
        if (!world.isAnswered) await keeper.rotateMaster(null); // an operator repeats it only without an answer
        world.isAnswered = true;
        await passMinutes(db, 3);
        await keeper.refresh(); // retires the old key
      },
      checkFailed: (world) => assertOpens(db, world),
      async read(world) {
        await assertOpens(db, world);
        return { masters: await listMasters(db, world.source), dataKeys: await listDataKeys(db) };
      },
    });
  });
});

/** What a process has after its start. */
async function start(db: Database, source: MasterKeySource) {
  const keyring = createKeyring();
  const keeper = createKeyKeeper({ db, keyring, source, log });
  await keeper.open(db);
  return { keeper, envelope: createSecretEnvelope(keyring) };
}

async function assertOpens(db: Database, { source, sealed }: { source: MasterKeySource; sealed: Buffer }) {
  assert.equal((await start(db, source)).envelope.open(sealed, 'a'), 'secret', 'the next start opens every secret');
}

/** Whether each is the one in the file, in the order in which they were added. */
async function listMasters(db: Database, source: MasterKeySource): Promise<boolean[]> {
  const { fingerprint } = source.read();
  const rows = await db.query<{ fingerprint: string }>('select fingerprint from master_keys order by number');
  return rows.map((row) => row.fingerprint === fingerprint);
}

/** With the number of master keys that have wrapped each. */
function listDataKeys(db: Database): Promise<unknown[]> {
  return db.query(
    `select d.id, (select count(*)::int from wrapped_keys w where w.data_key = d.id) as masters from data_keys d order by 1`,
  );
}

async function passMinutes(db: Database, minutes: number): Promise<void> {
  await db.query(
    `with aged as (update data_keys set created_at = created_at - $1::int * interval '1 minute')
     update master_keys set seen_at = seen_at - $1::int * interval '1 minute'`,
    [minutes],
  );
}

describe('a rotation of an API key that loses its database', () => {
  it('leaves one key that works: the old one, or the new one of the answered call', async (t) => {
    type World = { readonly account: { name: string; id: string; live: string }; key: string };
    await failEverywhere<World>(t, {
      db: services.db,
      atLeast: { statements: 5, commits: 1 },
      async prepare() {
        const account = await createAccount(service);
        return { account, key: account.live };
      },
      async run(world, db) {
        const which = { account: world.account.name, environment: 'live' as const, name: 'default' };
        const rotated = await rotateApiKey({ ...services, db }, which, 0, FIRST_START);
        world.key = rotated.key;
      },
      async checkFailed({ account }) {
        assert.equal((await listInForce(services.db, account.id)).length, 1);
      },
      async read({ account, key }) {
        const isNew = key !== account.live;
        return {
          inForce: await listInForce(services.db, account.id),
          isNew,
          works: (await service.api(key).get('/v1/users')).status,
          old: (await service.api(account.live).get('/v1/users')).status,
          lastFour: key.slice(-4) === (await readLastFour(services.db, account.id)),
        };
      },
    });
  });
});

async function listInForce(db: Database, accountId: string): Promise<string[]> {
  const rows = await db.query<{ name: string }>(
    `select name from api_keys where account_id = $1 and environment = 'live' and revoked_at is null`,
    [accountId],
  );
  return rows.map(({ name }) => name);
}

async function readLastFour(db: Database, accountId: string): Promise<string | undefined> {
  const [row] = await db.query<{ last_four: string }>(
    `select last_four from api_keys where account_id = $1 and environment = 'live' and revoked_at is null`,
    [accountId],
  );
  return row?.last_four;
}
