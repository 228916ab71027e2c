// `npm run test:install` also builds the package, installs it into an empty folder and runs it. Every build does so with the oldest
// npm and Node; TEST_ALL_GENERATIONS=1 also with the others.

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, realpath, rm } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it, type TestContext } from 'node:test';
import { promisify } from 'node:util';
import { MINUTE_MS } from '../../src/domain/time/durations.ts';
import { VERSION } from '../../src/version.ts';
import { buildPackage } from '../../tools/package.ts';
import { apiOf, REPOSITORY, type ReadyService } from '../support/service-process.ts';
import { startPhone } from '../support/test-phone.ts';
import { createUser } from '../support/test-users.ts';
import { INSTALL_LIMIT_MS, type Machine, onlyLinux, openShell, openTools, startAndStop } from './machines.ts';

const run = promisify(execFile);

const OLDEST: Machine = { npm: '8.19.4', node: '18.20.8' };
const OTHERS: readonly Machine[] = [
  { npm: '9.9.4', node: '20.20.2' },
  { npm: '10.8.2', node: '22.10.0' },
  { npm: '11.5.2', node: '24.21.0' },
  { npm: '12.2.0', node: '26.9.0' },
];
const MACHINES = process.env.TEST_ALL_GENERATIONS ? [OLDEST, ...OTHERS] : [OLDEST];
const LARGE_UPLOAD_SAMPLES = 1_000; // over 64 KiB

/** Served from files of the package. */
const PAGES = {
  '/docs/operations': /<h1[^>]*>Operations/,
  '/docs/site.js': /startSearch/,
  '/dashboard/': /<script type="module"/,
  '/favicon.ico': /^/,
};

describe('the package', { skip: onlyLinux }, () => {
  let folder = '';
  let tarball = '';
  let tools = '';
  let missing: string | null = null;

  before(async () => {
    folder = await realpath(await mkdtemp(join(tmpdir(), 'tributary-package-')));
    tarball = await buildPackage(folder);
    ({ tools, missing } = await openTools(MACHINES));
  });
  after(() => Promise.all([folder, tools].map((name) => rm(name, { recursive: true, force: true }))));

  it('contains no sources, tests, source maps or paths of this machine', async () => {
    const { stdout } = await run('tar', ['-tzf', tarball], { maxBuffer: 64 * 1024 * 1024 });
    const names = stdout.trim().split('\n');
    for (const name of [
      'server/src/main.js',
      'server/migrations/0001_create_deployment.sql',
      'dashboard/dist/index.html',
    ])
      assert.ok(names.includes(`package/${name}`), name);
    assert.deepEqual(
      names.filter((name) => /\.ts$|\.tsx$|\.map$|\.test\.|fixture|\.env|\.key$|\.pem$|\/data\//.test(name)),
      [],
    );
    await run('tar', ['-xzf', tarball, '-C', folder]);
    const places = [REPOSITORY, homedir(), tmpdir()].filter((place) => place.length > '/tmp'.length);
    for (const text of [...places.map((place) => `${place}/`), 'BEGIN PRIVATE KEY'])
      assert.equal(await findText(join(folder, 'package'), text), '', text);
    for (const part of ['server', 'dashboard'])
      assert.equal(await findText(join(folder, 'package', part), 'sourceMappingURL='), '', part);
    const lock = await readFile(join(folder, 'package/npm-shrinkwrap.json'), 'utf8');
    assert.doesNotMatch(lock, /"resolved"|https?:\/\/[^"]*registry/);
  });

  for (const machine of MACHINES)
    it(`installs and runs with npm ${machine.npm} on Node ${machine.node}`, async (t) => {
      if (missing !== null) return t.skip(missing);
      const project = await makeProject(t);
      const npm = await openShell(tools, machine.npm, machine.node, project);
      await npm(['install', tarball], INSTALL_LIMIT_MS);
      assert.equal((await npm(['exec', '--', 'tributary', '--version'])).trim(), VERSION);
      await startAndStop(
        t,
        {
          ...{ tools, npm: machine.npm, node: machine.node, folder: project },
          command: ['exec', '--', 'tributary', 'serve'],
          runtime: join(project, 'node_modules'),
        },
        readEverything,
      );
    });
});

async function makeProject(t: TestContext): Promise<string> {
  const project = await realpath(await mkdtemp(join(tmpdir(), 'tributary-project-')));
  t.after(() => rm(project, { recursive: true, force: true }));
  return project;
}

/** Reads each kind of file that the package contains. A large upload is read in a thread. */
async function readEverything(service: ReadyService): Promise<void> {
  for (const [path, expected] of Object.entries(PAGES)) {
    const answer = await fetch(`${service.url}${path}`);
    assert.equal(answer.status, 200, path);
    assert.ok(expected.test(await answer.text()), `${path} contains ${expected}`);
  }
  const user = await createUser(apiOf(service));
  const phone = await startPhone({ api: (key = service.keys.live) => apiOf(service, key) }, user.id);
  const { accepted } = await phone.upload({ samples: Array.from({ length: LARGE_UPLOAD_SAMPLES }, presentSample) });
  assert.equal(accepted, LARGE_UPLOAD_SAMPLES);
}

function presentSample(_: unknown, minute: number) {
  const time = new Date(Date.UTC(2026, 2, 9) + minute * MINUTE_MS).toISOString();
  return { metric: 'heart_rate', start: time, end: time, value: 60 };
}

/** Names of the files that contain the text. */
async function findText(folder: string, text: string): Promise<string> {
  const { stdout } = await run('grep', ['-rlF', '--', text, folder]).catch(
    (error: { code: number; stdout: string }) => {
      if (error.code !== 1) throw error;
      return error;
    },
  );
  return stdout;
}
