// The processes of compose.scaled.yaml without containers: the roles that its script creates, the migration as the owner of the
// tables, then an API process and a worker as the role of the service.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { it, type TestContext } from 'node:test';
import { promisify } from 'node:util';
import { startSystemPostgres } from '../../tools/start-system-postgres.ts';
import { apiOf, MAIN, OWN_DATABASE, openServiceHarness, REPOSITORY } from '../support/service-process.ts';
import { createUser } from '../support/test-users.ts';

const run = promisify(execFile);
const { load }: { load(text: string): unknown } = createRequire(import.meta.url)('js-yaml');
const MASTER_KEY = Buffer.alloc(32, 7).toString('base64');
const BINARIES = '/usr/lib/postgresql/15/bin';
const skip = existsSync(join(BINARIES, 'initdb')) && existsSync('/usr/bin/psql') ? false : 'no PostgreSQL';

type ComposeService = { command: string[]; environment: Record<string, string | number> };

it('migrates as the owner, then serves as the role of the service', { skip }, async (t) => {
  const socket = await startPostgres(t);
  const services = await readServices(socket);
  const harness = await openServiceHarness(t, OWN_DATABASE);
  const start = (name: string) => {
    const { command, environment } = services[name] ?? assert.fail(name);
    return harness.start({
      command: [process.execPath, MAIN, ...command],
      environment,
      dataDir: join(harness.root, name),
    });
  };
  const early = start('api-1');
  await early.refused();
  assert.match(early.stderr(), /TRIBUTARY_MIGRATION_DATABASE_URL/);
  assert.deepEqual(await start('migrate').exited, { code: 0, signal: null });
  const [api] = await Promise.all([start('api-1').ready(), start('worker-1').ready()]);
  await createUser(apiOf(api));
});

async function startPostgres(t: TestContext): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'tributary-compose-'));
  await chmod(folder, 0o755);
  const { connection, stop } = await startSystemPostgres(folder, { fsync: 'off' }, BINARIES);
  t.after(async () => {
    await stop();
    await rm(folder, { recursive: true, force: true });
  });
  const { host, user } = connection;
  await run('psql', [`--host=${host}`, `--username=${user}`, '--dbname=postgres', '--command=drop database tributary']);
  await run(join(REPOSITORY, 'deploy/postgres/create-roles.sh'), {
    env: {
      ...{ PATH: process.env.PATH, PGHOST: host, POSTGRES_USER: user },
      ...{ POSTGRES_OWNER_PASSWORD: "it's", POSTGRES_SERVICE_PASSWORD: 'secret' },
    },
  });
  return host;
}

/** With values in the place of the variables, this PostgreSQL in the place of the container, and without Caddy and Valkey. */
async function readServices(socket: string) {
  const text = await readFile(join(REPOSITORY, 'deploy/compose.scaled.yaml'), 'utf8');
  const { services } = load(text) as { services: Record<string, ComposeService> };
  const values: Record<string, string> = { TRIBUTARY_DOMAIN: 'localhost', TRIBUTARY_MASTER_KEY: MASTER_KEY };
  const own = Object.entries(services).filter(([name]) => /^(migrate|api|worker)/.test(name));
  return Object.fromEntries(
    own.map(([name, { command, environment }]) => {
      const entries = Object.entries(environment).map(([variable, value]) => [
        variable,
        String(value)
          .replaceAll(/\$\{(\w+)[^}]*\}/g, (_, used: string) => values[used] ?? '')
          .replace('@postgres/tributary', `@localhost/tributary?host=${encodeURIComponent(socket)}`),
      ]);
      return [
        name,
        {
          command,
          environment: {
            ...Object.fromEntries(entries),
            REDIS_URL: '',
            TRIBUTARY_DRAIN_SECONDS: '0',
            TRIBUTARY_PUBLIC_URL: '',
          },
        },
      ];
    }),
  );
}
