// `npm run test:install` installs a copy of the repository with npm and Node of other generations, taken from the registry, and
// runs it as the README says. It needs the registry (or npm's cache) and several minutes, so `npm test` skips it. Every build does so with
// the oldest and the newest generation; TEST_ALL_GENERATIONS=1 also with those between.

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { copyFile, mkdir, mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, before, describe, it, type TestContext } from 'node:test';
import { promisify } from 'node:util';
import { VERSION } from '../../src/version.ts';
import { REPOSITORY } from '../support/service-process.ts';
import { INSTALL_LIMIT_MS, type Machine, onlyLinux, openShell, openTools, startAndStop } from './machines.ts';

const run = promisify(execFile);

/**
 * Each npm with a Node that it shipped with or supports. Up to 11.5 npm does not link the project's Node. Under Node 14 npm
 * skips PostgreSQL, whose package requires 16; a package that another Node installed runs there too.
 */
const OLDEST: Machine = { npm: '8.19.4', node: '16.20.2', alsoStartWith: '14.21.3' };
const BETWEEN: readonly Machine[] = [
  { npm: '9.9.4', node: '18.20.8' },
  { npm: '10.8.2', node: '20.20.2', alsoStartWith: '22.10.0' },
  { npm: '11.5.2', node: '24.21.0' },
];
const NEWEST: Machine = { npm: '12.2.0', node: '26.9.0' };
const MACHINES = [OLDEST, ...(process.env.TEST_ALL_GENERATIONS ? BETWEEN : []), NEWEST];

describe('a fresh checkout', { skip: onlyLinux }, () => {
  let tools = '';
  let missing: string | null = null;

  before(async () => {
    ({ tools, missing } = await openTools(MACHINES));
  });
  after(() => rm(tools, { recursive: true, force: true }));

  for (const machine of MACHINES)
    it(`installs and runs with npm ${machine.npm} on Node ${machine.node}`, async (t) => {
      if (missing !== null) return t.skip(missing);
      const checkout = await copyRepository(t);
      const npm = await openShell(tools, machine.npm, machine.node, checkout);
      await npm(['ci'], INSTALL_LIMIT_MS);
      assert.equal((await npm(['run', '-s', 'tributary', '--', '--version'])).trim(), VERSION);
      assert.match(await npm(['run', '-s', 'bench']), /npm run bench -- NAME/);
      assert.match(await npm(['run', '-s', 'check', '--', 'lockfile']), /^ok +lockfile/);
      assert.match(await npm(['test', '--', 'server/tools/find-tests.test.ts']), /\bfail 0\n/);
      for (const node of [machine.node, machine.alsoStartWith ?? []].flat()) {
        t.diagnostic(`npm start with npm ${machine.npm} on Node ${node}`);
        const runtime = join(checkout, 'node_modules');
        await startAndStop(t, { tools, npm: machine.npm, node, folder: checkout, command: ['start'], runtime });
      }
    });
});

/** Committed files and files about to be committed. */
async function copyRepository(t: TestContext): Promise<string> {
  const checkout = await realpath(await mkdtemp(join(tmpdir(), 'tributary-checkout-')));
  t.after(() => rm(checkout, { recursive: true, force: true }));
  const { stdout } = await run('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    cwd: REPOSITORY,
  });
  const files = stdout.split('\0').filter((name) => name !== '');
  assert.ok(files.includes('package-lock.json'));
  for (const folder of new Set(files.map(dirname))) await mkdir(join(checkout, folder), { recursive: true });
  for (const name of files) await copyFile(join(REPOSITORY, name), join(checkout, name));
  return checkout;
}
