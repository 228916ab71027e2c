// `npm run test:install` also packs @tributary/client and makes a journey with it in Deno, Bun, and the oldest and the newest Node
// that it is for; TEST_ALL_GENERATIONS=1 also in those between.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { cp, mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { promisify } from 'node:util';
import { EMPTY_FOLDER, openServiceHarness } from '../support/service-process.ts';
import { installPackages, onlyLinux, packWorkspace, programOfNode, provideNodes } from './machines.ts';

const run = promisify(execFile);
const LIMIT_MS = 60_000;
const JOURNEY = 'client-journey.mjs';

type Runtime = { readonly package: string; readonly program: string; readonly args?: readonly string[] };

const BETWEEN = ['20.20.2', '22.10.0'];
const NODES = ['18.20.8', ...(process.env.TEST_ALL_GENERATIONS ? BETWEEN : []), '24.21.0'];

/** The baseline build runs on processors without AVX2 too. */
const BUN_PROCESSOR = process.arch === 'arm64' ? 'aarch64' : 'x64-baseline';

const OTHERS: Readonly<Record<string, Runtime>> = {
  Deno: {
    package: `npm:@deno/linux-${process.arch}-glibc@2.9.5`,
    program: 'deno',
    args: ['run', '--allow-net', '--allow-env', '--cached-only'],
  },
  Bun: { package: `npm:@oven/bun-linux-${BUN_PROCESSOR}@1.4.4`, program: 'bin/bun' },
};
const aliasOf = (name: string) => name.toLowerCase();

describe('the packed client', { skip: onlyLinux }, () => {
  let folder = '';
  let missing: string | null = null;

  before(async () => {
    folder = await realpath(await mkdtemp(join(tmpdir(), 'tributary-runtimes-')));
    const tarball = await packWorkspace('@tributary/client', folder);
    const runtimes = Object.entries(OTHERS).map(([name, runtime]) => [aliasOf(name), runtime.package]);
    const packages = { '@tributary/client': `file:${tarball}`, ...Object.fromEntries(runtimes) };
    missing = (await installPackages(folder, packages)) ?? (await provideNodes(NODES));
    await cp(join(import.meta.dirname, JOURNEY), join(folder, JOURNEY));
  });
  after(() => rm(folder, { recursive: true, force: true }));

  it('makes a journey in each runtime', async (t) => {
    if (missing !== null) return t.skip(missing);
    const harness = await openServiceHarness(t, EMPTY_FOLDER);
    const { url, keys } = await harness.start().ready();
    for (const { name, program, args } of listPrograms(folder))
      await t.test(name, async () => {
        const env = {
          HOME: folder,
          TRIBUTARY_URL: url,
          TRIBUTARY_API_KEY: keys.sandbox,
          DELIVERY: JSON.stringify(signDelivery()),
        };
        const { stdout } = await run(program, [...args, JOURNEY], { cwd: folder, timeout: LIMIT_MS, env });
        assert.equal(stdout.trim(), 'done');
      });
  });
});

function listPrograms(folder: string): { name: string; program: string; args: readonly string[] }[] {
  return [
    ...NODES.map((version) => ({ name: `Node ${version.split('.')[0]}`, program: programOfNode(version), args: [] })),
    ...Object.entries(OTHERS).map(([name, { program, args = [] }]) => ({
      ...{ name, args },
      program: join(folder, 'node_modules', aliasOf(name), program),
    })),
  ];
}

function signDelivery() {
  const key = Buffer.alloc(32, 7);
  const body = JSON.stringify({ event_id: 'e1', event_type: 'test' });
  const at = String(Math.floor(Date.now() / 1_000));
  const signature = `v1,${createHmac('sha256', key).update(`e1.${at}.${body}`).digest('base64')}`;
  const headers = { 'webhook-id': 'e1', 'webhook-timestamp': at, 'webhook-signature': signature };
  return { secret: `whsec_${key.toString('base64')}`, headers, body };
}
