// npm and Node of other generations, taken from the registry, for tests that install Tributary with them.

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import {
  mkdir,
  mkdtemp,
  mkdtempDisposable,
  readFile,
  readlink,
  realpath,
  rename,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import type { TestContext } from 'node:test';
import { promisify } from 'node:util';
import { MINUTE_MS } from '../../src/domain/time/durations.ts';
import { lockDataFolder } from '../../src/platform/data-folder.ts';
import {
  awaitNoDatabase,
  FIRST_START,
  openServiceHarness,
  REPOSITORY,
  type ReadyService,
  within,
} from '../support/service-process.ts';
import { waitUntil } from '../support/wait-until.ts';

const run = promisify(execFile);

export type Machine = { readonly npm: string; readonly node: string; readonly alsoStartWith?: string };

export const INSTALL_LIMIT_MS = 5 * MINUTE_MS;
const COMMAND_LIMIT_MS = 60_000;
const STOP_LIMIT_MS = 20_000;
export const AWAY = /ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ENETUNREACH|EHOSTUNREACH|ETIMEDOUT|ENOTCACHED|network/;

const NODE_PACKAGE = `node-linux-${process.arch}`;
/** Shared by the tests and kept for the next run, because each version is 40 MB to unpack. */
const NODES = join(REPOSITORY, 'node_modules/.cache/other-nodes');

export const onlyLinux =
  process.platform === 'linux' && ['x64', 'arm64'].includes(process.arch)
    ? false
    : 'the old Node versions are installed for Linux on x64 and arm64 only';

/** Returns a folder with every npm of the machines, or why a tool cannot be installed. */
export async function openTools(machines: readonly Machine[]): Promise<{ tools: string; missing: string | null }> {
  const tools = await realpath(await mkdtemp(join(tmpdir(), 'tributary-install-')));
  const packages = Object.fromEntries(machines.map(({ npm }) => [`npm-${npm}`, `npm:npm@${npm}`]));
  const nodes = machines.flatMap(({ node, alsoStartWith }) => [node, alsoStartWith ?? []].flat());
  return { tools, missing: (await installPackages(tools, packages)) ?? (await provideNodes(nodes)) };
}

type Installed = {
  readonly tools: string;
  readonly npm: string;
  readonly node: string;
  readonly folder: string;
  /** Of npm. */
  readonly command: readonly string[];
  /** The folder of the Node that has to run the service. */
  readonly runtime: string;
};

/** Starts the service through npm, calls `use`, and stops it. */
export async function startAndStop(
  t: TestContext,
  { tools, npm, node, folder, command, runtime }: Installed,
  use: (service: ReadyService) => Promise<void> = async () => undefined,
): Promise<void> {
  const harness = await openServiceHarness(t, FIRST_START);
  const { program, cli, environment } = await describeShell(tools, npm, node);
  const dataDir = join(harness.root, 'data');
  const started = harness.start({ command: [program, cli, ...command], cwd: folder, environment, dataDir });
  const service = await started.ready();
  await use(service);
  const { pid } = JSON.parse(await readFile(join(dataDir, 'service.json'), 'utf8'));
  assert.equal(await readlink(`/proc/${pid}/exe`), join(runtime, `${NODE_PACKAGE}/bin/node`));
  process.kill(pid, 'SIGTERM'); // npm 8 and 9 do not forward the signal
  assert.deepEqual(await within(STOP_LIMIT_MS, 'the end of npm', service.exited), { code: 0, signal: null });
  await awaitNoDatabase(dataDir);
}

/** Returns a reason to skip where the registry cannot be reached. */
export async function installPackages(
  folder: string,
  dependencies: Readonly<Record<string, string>>,
): Promise<string | null> {
  await writeFile(join(folder, 'package.json'), JSON.stringify({ private: true, dependencies }));
  return runNpm(folder, ['install', '--no-bin-links', '--ignore-scripts', '--no-audit', '--no-fund']);
}

async function runNpm(folder: string, args: readonly string[]): Promise<string | null> {
  const registry = ['--prefer-offline', '--fetch-retry-mintimeout=1000', '--fetch-retry-maxtimeout=5000'];
  const settings = { cwd: folder, env: outerEnvironment(), timeout: INSTALL_LIMIT_MS };
  return run('npm', [...args, ...registry], settings).then(
    () => null,
    (error: { stderr?: string }) => {
      if (!AWAY.test(error.stderr ?? '')) throw error;
      return 'the package registry cannot be reached';
    },
  );
}

/** Unpacks the programs of these versions. Returns a reason to skip where the registry cannot be reached. */
export async function provideNodes(versions: readonly string[]): Promise<string | null> {
  await mkdir(NODES, { recursive: true });
  // Tests that run at the same time need the same versions.
  const lock = await waitUntil('nobody else unpacks', () => lockDataFolder(NODES), INSTALL_LIMIT_MS);
  try {
    const absent = [...new Set(versions)].filter((version) => !existsSync(programOfNode(version)));
    return absent.length === 0 ? null : await unpackNodes(absent);
  } finally {
    lock.release();
  }
}

export function programOfNode(version: string): string {
  return join(NODES, version, 'node');
}

/** Only the programs: npm would write two thousand header files beside each. */
async function unpackNodes(versions: readonly string[]): Promise<string | null> {
  await using folder = await mkdtempDisposable(join(NODES, 'new-'));
  const packages = versions.map((version) => `${NODE_PACKAGE}@${version}`);
  const missing = await runNpm(folder.path, ['pack', ...packages, '--silent']);
  if (missing !== null) return missing;
  for (const version of versions) {
    await run('tar', ['-xzf', `${NODE_PACKAGE}-${version}.tgz`, 'package/bin/node'], { cwd: folder.path });
    await rename(join(folder.path, 'package/bin'), join(NODES, version));
  }
  return null;
}

/** Runs npm on a machine that has only this Node. */
export async function openShell(tools: string, npm: string, node: string, cwd: string) {
  const { program, cli, environment } = await describeShell(tools, npm, node);
  return async (args: readonly string[], timeout = COMMAND_LIMIT_MS): Promise<string> => {
    const env = { ...outerEnvironment(), ...environment };
    const { stdout } = await run(program, [cli, ...args], { cwd, env, timeout });
    return stdout;
  };
}

async function describeShell(tools: string, npm: string, node: string) {
  const program = programOfNode(node);
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

/** Returns the file. Its build step runs on the project's Node. */
export async function packWorkspace(name: string, folder: string): Promise<string> {
  const args = ['pack', '--workspace', name, '--pack-destination', folder, '--silent', '--ignore-scripts=false'];
  const path = [dirname(process.execPath), join(REPOSITORY, 'node_modules/.bin'), process.env.PATH].join(delimiter);
  const { stdout } = await run('npm', args, {
    cwd: REPOSITORY,
    timeout: COMMAND_LIMIT_MS,
    env: { ...outerEnvironment(), PATH: path },
  });
  return join(folder, stdout.trim().split('\n').at(-1) ?? '');
}
