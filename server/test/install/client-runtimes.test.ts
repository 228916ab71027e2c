// `npm run test:install` also packs @tributary/client and makes a journey with it in every runtime it is for.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { cp, mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { promisify } from 'node:util';
import { EMPTY_FOLDER, openServiceHarness } from '../support/service-process.ts';
import { installPackages, onlyLinux, packageOfNode, packWorkspace } from './machines.ts';

const run = promisify(execFile);
const LIMIT_MS = 60_000;
const JOURNEY = 'client-journey.mjs';

type Runtime = { readonly package: string; readonly program: string; readonly args?: readonly string[] };

/** The baseline build runs on processors without AVX2 too. */
const BUN_PROCESSOR = process.arch === 'arm64' ? 'aarch64' : 'x64-baseline';

const RUNTIMES: Readonly<Record<string, Runtime>> = {
  'Node 18': { package: packageOfNode('18.20.8'), program: 'bin/node' },
  'Node 20': { package: packageOfNode('20.20.2'), program: 'bin/node' },
  'Node 22': { package: packageOfNode('22.10.0'), program: 'bin/node' },
  'Node 24': { package: packageOfNode('24.21.0'), program: 'bin/node' },
  Deno: {
    package: `npm:@deno/linux-${process.arch}-glibc@2.9.5`,
    program: 'deno',
    args: ['run', '--allow-net', '--allow-env', '--cached-only'],
  },
  Bun: { package: `npm:@oven/bun-linux-${BUN_PROCESSOR}@1.4.4`, program: 'bin/bun' },
};
const aliasOf = (name: string) => name.toLowerCase().replace(' ', '-');

describe('the packed client', { skip: onlyLinux }, () => {
  let folder = '';
  let missing: string | null = null;

  before(async () => {
    folder = await realpath(await mkdtemp(join(tmpdir(), 'tributary-runtimes-')));
    const tarball = await packWorkspace('@tributary/client', folder);
    const runtimes = Object.entries(RUNTIMES).map(([name, runtime]) => [aliasOf(name), runtime.package]);
    missing = await installPackages(folder, {
      '@tributary/client': `file:${tarball}`,
      ...Object.fromEntries(runtimes),
    });
    await cp(join(import.meta.dirname, JOURNEY), join(folder, JOURNEY));
  });
  after(() => rm(folder, { recursive: true, force: true }));

  it('makes a journey in every runtime', async (t) => {
    if (missing !== null) return t.skip(missing);
    const harness = await openServiceHarness(t, EMPTY_FOLDER);
    const { url, keys } = await harness.start().ready();
    for (const [name, { program, args = [] }] of Object.entries(RUNTIMES))
      await t.test(name, async () => {
        const env = {
          HOME: folder,
          TRIBUTARY_URL: url,
          TRIBUTARY_API_KEY: keys.sandbox,
          DELIVERY: JSON.stringify(signDelivery()),
        };
        const path = join(folder, 'node_modules', aliasOf(name), program);
        const { stdout } = await run(path, [...args, JOURNEY], { cwd: folder, timeout: LIMIT_MS, env });
        assert.equal(stdout.trim(), 'done');
      });
  });
});

function signDelivery() {
  const key = Buffer.alloc(32, 7);
  const body = JSON.stringify({ event_id: 'e1', event_type: 'test' });
  const at = String(Math.floor(Date.now() / 1_000));
  const signature = `v1,${createHmac('sha256', key).update(`e1.${at}.${body}`).digest('base64')}`;
  const headers = { 'webhook-id': 'e1', 'webhook-timestamp': at, 'webhook-signature': signature };
  return { secret: `whsec_${key.toString('base64')}`, headers, body };
}
