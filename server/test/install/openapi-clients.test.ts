// `npm run test:install` also lints the OpenAPI document, generates clients from it with three generators, compiles them and makes
// a journey with one of them. The tools are in test/openapi-clients, with a lock file of their own.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { cp, mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it, type TestContext } from 'node:test';
import { promisify } from 'node:util';
import { readPublishedApi } from '../../src/api-document.ts';
import { EMPTY_FOLDER, openServiceHarness, REPOSITORY } from '../support/service-process.ts';
import { AWAY, INSTALL_LIMIT_MS, onlyLinux } from './machines.ts';

const run = promisify(execFile);
const LIMIT_MS = 180_000;
const SOURCE = join(REPOSITORY, 'server/test/openapi-clients');
const SERVER = 'http://127.0.0.1:8080';
const DOCUMENTS = ['openapi.json', 'openapi-form1.json', 'openapi-form2.json'];

/** No tool may call home: telemetry is off, and any request would go to a proxy that does not exist. */
const OFFLINE = {
  REDOCLY_TELEMETRY: 'off',
  REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true',
  DO_NOT_TRACK: '1',
  NODE_USE_ENV_PROXY: '1',
  HTTP_PROXY: 'http://127.0.0.1:9',
  HTTPS_PROXY: 'http://127.0.0.1:9',
};

describe('clients generated from the OpenAPI document', { skip: onlyLinux }, () => {
  let folder = '';
  let missing: string | null = null;

  before(async () => {
    folder = await realpath(await mkdtemp(join(tmpdir(), 'tributary-clients-')));
    await cp(SOURCE, folder, { recursive: true });
    await cp(join(REPOSITORY, '.npmrc'), join(folder, '.npmrc'));
    await cp(join(REPOSITORY, 'docs/openapi.json'), join(folder, 'openapi.json'));
    for (const form of [1, 2] as const)
      await writeFile(join(folder, `openapi-form${form}.json`), JSON.stringify(readPublishedApi(SERVER, form)));
    await cp(join(folder, 'journey.mts'), join(folder, 'journey.ts'));
    missing = await run('npm', ['ci', '--prefer-offline'], { cwd: folder, timeout: INSTALL_LIMIT_MS }).then(
      () => null,
      (error: { stderr?: string }) => {
        if (!AWAY.test(error.stderr ?? '')) throw error;
        return 'the package registry cannot be reached';
      },
    );
  });
  after(() => rm(folder, { recursive: true, force: true }));

  const tool = async (name: string, args: readonly string[], environment: Record<string, string> = OFFLINE) => {
    const program = await realpath(join(folder, 'node_modules/.bin', name));
    const env = { PATH: process.env.PATH, HOME: folder, ...environment };
    const options = { cwd: folder, timeout: LIMIT_MS, env, maxBuffer: 64 * 1024 * 1024 };
    return run(process.execPath, [program, ...args], options).catch((error: { stdout?: string; stderr?: string }) =>
      assert.fail(`${name}: ${error.stdout}\n${error.stderr}\n${String(error)}`),
    );
  };

  it('lints without a warning, compiles with three generators, and a journey runs in both forms', async (t) => {
    if (missing !== null) return t.skip(missing);
    const [redocly, spectral] = await Promise.all([
      tool('redocly', ['lint', ...DOCUMENTS]),
      tool('spectral', ['lint', ...DOCUMENTS, '--fail-severity', 'hint']),
      tool('openapi-typescript', ['openapi.json', '-o', 'typed.ts']),
      tool('openapi-ts', ['-i', 'openapi.json', '-o', 'generated']),
      tool('orval', ['--input', './openapi.json', '--output', './orval.ts', '--client', 'fetch']),
    ]);
    assert.doesNotMatch(redocly.stderr + redocly.stdout, /warning/i);
    assert.match(spectral.stdout, /No results/);
    await checkNames();
    await tool('tsc', ['-p', 'tsconfig.clients.json']);
    await makeJourney(t);
  });

  /** Generators number the names that collide: `Error2`. */
  async function checkNames(): Promise<void> {
    const types = await readFile(join(folder, 'generated/types.gen.ts'), 'utf8');
    const names = [...types.matchAll(/^export type (\w+)/gm)].map(([, name = '']) => name);
    assert.ok(names.length > 300);
    assert.deepEqual(
      names.filter((name) => /\d/.test(name.replace(/Form[12]/, ''))),
      [],
    );
    for (const name of ['UserForm1', 'UserForm2', 'Device', 'SleepForm1', 'WorkoutForm2', 'DailyValuesForm2', 'Event'])
      assert.ok(names.includes(name), name);
  }

  async function makeJourney(t: TestContext): Promise<void> {
    const harness = await openServiceHarness(t, EMPTY_FOLDER);
    const { url, keys } = await harness.start().ready();
    const { stdout } = await run(process.execPath, ['compiled/journey.js'], {
      cwd: folder,
      timeout: LIMIT_MS,
      env: { PATH: process.env.PATH, TRIBUTARY_URL: url, TRIBUTARY_API_KEY: keys.sandbox },
    }).catch((error: { stdout?: string }) => assert.fail(error.stdout));
    assert.match(stdout, /"events":\d+/);
  }
});
