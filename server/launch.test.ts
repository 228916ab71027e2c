// Tests the launcher in a temporary project whose "bundled" Node is the running Node with another version number.
import assert from 'node:assert/strict';
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, copyFile, mkdir, mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { promisify } from 'node:util';
import { findNode, NODE_PACKAGES } from './launch.js';
import { waitUntil } from './test/support/wait-until.ts';

const ROOT = resolve(import.meta.dirname, '..');
const LAUNCHER_FILES = ['launch.js', 'resolve-sources.js', 'run.js', 'tributary.js'];
const VERSION = '99.0.0';
const PLATFORM = `${process.platform} ${process.arch}`;
const onPosix = process.platform === 'win32' ? 'the project is made of shell scripts' : false;

/** Prints a report, then waits for a signal and exits with a code per signal. */
const PROGRAM = `
const codes: Record<string, number> = { SIGINT: 11, SIGTERM: 12, SIGHUP: 13 };
for (const [name, code] of Object.entries(codes)) process.on(name, () => process.exit(code));
const { pid, ppid, version, argv, env } = process;
process.stdout.write(JSON.stringify({ pid, ppid, version, args: argv.slice(2), variables: Object.keys(env) }) + '\\n');
if (argv[2] === 'exit') process.exit(Number(argv[3]));
if (argv[2] === 'die') process.kill(pid, argv[3]);
setInterval(() => undefined, 1000);
`;

describe('findNode', () => {
  it('asks for npm ci if nothing is installed', async (t) => {
    const root = await makeFolder(t);
    await writeManifest(root);
    assert.match(findNode(root, PLATFORM, 'v20.0.0').problem ?? '', /^Tributary is not installed yet: run "npm ci /);
    assert.match(
      findNode(root, PLATFORM, `v${VERSION}`).problem ?? '',
      /^Tributary is not installed yet: run "npm ci /,
    );
  });

  it('asks for the optional packages if they are missing', async (t) => {
    const root = await makeFolder(t);
    await writeManifest(root);
    await mkdir(join(root, 'node_modules'));
    for (const platform of Object.keys(NODE_PACKAGES))
      assert.equal(
        findNode(root, platform, 'v20.0.0').problem,
        `Node ${VERSION} for ${platform} is missing from node_modules: run "npm ci --include=optional" in ${root}, then try again.`,
      );
  });

  it('asks for npm ci if the installed package has another version or no binary', async (t) => {
    const root = await makeProject(t);
    const folder = join(root, 'node_modules', NODE_PACKAGES[PLATFORM] ?? '');
    await writeFile(join(folder, 'package.json'), JSON.stringify({ version: '98.0.0', bin: { node: 'bin/node' } }));
    assert.match(findNode(root, PLATFORM, 'v20.0.0').problem ?? '', /is missing from node_modules: run "npm ci /);
    await writeFile(join(folder, 'package.json'), JSON.stringify({ version: VERSION, bin: { node: 'bin/gone' } }));
    assert.match(findNode(root, PLATFORM, 'v20.0.0').problem ?? '', /is missing from node_modules: run "npm ci /);
  });

  it('asks to install Node on a platform without a package', async (t) => {
    const root = await makeProject(t);
    for (const platform of ['freebsd x64', 'linux arm', 'win32 arm64'])
      assert.equal(
        findNode(root, platform, 'v20.0.0').problem,
        `No bundled Node for ${platform}: install Node ${VERSION} on this machine and run the same command with it.`,
      );
    assert.deepEqual(findNode(root, 'freebsd x64', `v${VERSION}`), { version: VERSION });
  });

  it('finds the binary in the package, and needs none if the running Node has that version', async (t) => {
    const root = await makeProject(t);
    const binary = join(root, 'node_modules', NODE_PACKAGES[PLATFORM] ?? '', 'bin/node');
    assert.deepEqual(findNode(root, PLATFORM, 'v22.12.0'), { version: VERSION, binary });
    assert.deepEqual(findNode(root, PLATFORM, `v${VERSION}`), { version: VERSION });
  });

  it('finds the binary beside the project if the project is installed, and says where to install it again', async (t) => {
    const modules = join(await makeFolder(t), 'node_modules');
    const root = join(modules, 'tributary');
    await mkdir(join(modules, NODE_PACKAGES[PLATFORM] ?? '', 'bin'), { recursive: true });
    await mkdir(root);
    await writeManifest(root);
    assert.equal(
      findNode(root, PLATFORM, 'v20.0.0').problem,
      `Node ${VERSION} for ${PLATFORM} is missing from node_modules: run "npm install --include=optional" in ${dirname(modules)}, then try again.`,
    );
    const folder = join(modules, NODE_PACKAGES[PLATFORM] ?? '');
    await writeFile(join(folder, 'package.json'), JSON.stringify({ version: VERSION, bin: { node: 'bin/node' } }));
    await writeFile(join(folder, 'bin/node'), '');
    assert.deepEqual(findNode(root, PLATFORM, 'v20.0.0'), { version: VERSION, binary: join(folder, 'bin/node') });
  });

  it('knows every Node package of the repository, all of the same version, and finds the installed one', async () => {
    const { optionalDependencies } = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8'));
    assert.deepEqual(Object.keys(optionalDependencies).sort(), Object.values(NODE_PACKAGES).sort());
    assert.equal(new Set(Object.values(optionalDependencies)).size, 1);
    const { binary, version } = findNode(ROOT, PLATFORM, 'v14.0.0');
    const { stdout } = await promisify(execFile)(binary ?? '', ['--version']);
    assert.equal(stdout.trim(), `v${version}`);
  });
});

describe('the launcher', { skip: onPosix }, () => {
  for (const name of LAUNCHER_FILES)
    it(`parses ${name} as the JavaScript of Node 14`, async () => {
      const source = await readFile(join(import.meta.dirname, name), 'utf8');
      assert.doesNotMatch(source, /from 'node:/);
      await assertParses(source);
      await assert.rejects(
        assertParses(`${source}\nlet a; a ??= 1;`),
        /Unexpected token/,
        'the check finds newer syntax',
      );
      await assert.rejects(assertParses(`${source}\nawait 1;`), 'the check finds top-level await');
    });

  it('passes arguments and output through, and hides its own variable', async (t) => {
    const { child, report } = await startProgram(t, await makeProject(t), ['wait', 'a b', '']);
    assert.deepEqual(report.args, ['wait', 'a b', '']);
    assert.equal(report.version, `v${VERSION}`);
    assert.equal(report.ppid, child.pid);
    assert.deepEqual(
      report.variables.filter((name) => name.startsWith('TRIBUTARY')),
      [],
    );
  });

  it('ends with the exit code of the program', async (t) => {
    const root = await makeProject(t);
    for (const code of [0, 1, 42]) {
      const { ended } = await startProgram(t, root, ['exit', String(code)]);
      assert.deepEqual(await ended, [code, null]);
    }
  });

  it('ends by the signal that ended the program', async (t) => {
    const root = await makeProject(t);
    for (const signal of ['SIGKILL', 'SIGUSR2']) {
      const { ended } = await startProgram(t, root, ['die', signal]);
      assert.deepEqual(await ended, [null, signal]);
    }
  });

  it('forwards SIGINT, SIGTERM and SIGHUP', async (t) => {
    const root = await makeProject(t);
    const codes = { SIGINT: 11, SIGTERM: 12, SIGHUP: 13 };
    for (const [signal, code] of Object.entries(codes)) {
      const { child, ended } = await startProgram(t, root, ['wait']);
      child.kill(signal as NodeJS.Signals);
      assert.deepEqual(await ended, [code, null]);
    }
  });

  it('stops the program when the launcher is killed', async (t) => {
    const { child, report, outputEnded } = await startProgram(t, await makeProject(t), ['wait']);
    assert.notEqual(report.pid, child.pid);
    child.kill('SIGKILL');
    await outputEnded; // the program held the other end of the pipe
    await waitUntil('the end of the program', () => !isAlive(report.pid));
  });

  it('stops launcher and program when the shell of npm is killed', async (t) => {
    const root = await makeProject(t);
    const line = '"$0" server/tributary.js wait; true'; // the rest keeps the shell from replacing itself
    const { child, report, outputEnded } = await startCommand(t, root, ['/bin/sh', '-c', line, process.execPath], {
      npm_lifecycle_event: 'start',
    });
    child.kill('SIGKILL');
    await outputEnded;
    await waitUntil('the end of launcher and program', () => !isAlive(report.pid) && !isAlive(report.ppid));
  });

  it('runs any program of the repository', async (t) => {
    const root = await makeProject(t);
    await writeFile(join(root, 'server/tool.ts'), `${PROGRAM}\nif (!import.meta.main) process.exit(3);`);
    const command = [process.execPath, 'server/run.js', 'server/tool.ts', 'exit', '5'] as const;
    const { ended, report } = await startCommand(t, root, command);
    assert.deepEqual(await ended, [5, null]);
    assert.deepEqual(report.args, ['exit', '5']);
  });

  it('explains in one sentence what is missing', async (t) => {
    const root = await makeProject(t);
    await rm(join(root, 'node_modules'), { recursive: true });
    assert.match(
      await failToStart(root),
      /^Tributary is not installed yet: run "npm ci --include=optional" in .*\.\n$/,
    );
    await mkdir(join(root, 'node_modules'));
    assert.match(await failToStart(root), /^Node 99\.0\.0 for .* is missing from node_modules: run "npm ci .*\.\n$/);
  });

  it('explains that the binary cannot run on this machine', async (t) => {
    const root = await makeProject(t);
    const binary = join(root, 'node_modules', NODE_PACKAGES[PLATFORM] ?? '', 'bin/node');
    await writeFile(binary, '#!/no/such/loader\n');
    assert.match(
      await failToStart(root),
      /bin\/node cannot be run on this machine \(ENOENT\): install Node 99\.0\.0 on .*\.\n$/,
    );
    await chmod(binary, 0o644);
    assert.match(
      await failToStart(root),
      /bin\/node cannot be run on this machine \(EACCES\): install Node 99\.0\.0 on .*\.\n$/,
    );
  });

  it('does not relaunch forever if the binary has another version than its package', async (t) => {
    const root = await makeProject(t);
    const binary = join(root, 'node_modules', NODE_PACKAGES[PLATFORM] ?? '', 'bin/node');
    await writeFile(binary, `#!/bin/sh\nexec '${process.execPath}' "$@"\n`);
    assert.match(await failToStart(root), /bin\/node is Node \d+\.\d+\.\d+ instead of 99\.0\.0: run "npm ci .*\.\n$/);
  });
});

type Report = { pid: number; ppid: number; version: string; args: string[]; variables: string[] };

async function makeFolder(t: TestContext): Promise<string> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'tributary launch ')));
  t.after(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

function writeManifest(root: string): Promise<void> {
  const optionalDependencies = Object.fromEntries(Object.values(NODE_PACKAGES).map((name) => [name, VERSION]));
  return writeFile(join(root, 'package.json'), JSON.stringify({ type: 'module', optionalDependencies }));
}

async function makeProject(t: TestContext): Promise<string> {
  const root = await makeFolder(t);
  const folder = join(root, 'node_modules', NODE_PACKAGES[PLATFORM] ?? '');
  await mkdir(join(folder, 'bin'), { recursive: true });
  await mkdir(join(root, 'server/src'), { recursive: true });
  await writeManifest(root);
  for (const name of LAUNCHER_FILES) await copyFile(join(import.meta.dirname, name), join(root, 'server', name));
  await writeFile(join(root, 'server/src/main.ts'), PROGRAM);
  await writeFile(join(folder, 'package.json'), JSON.stringify({ version: VERSION, bin: { node: 'bin/node' } }));
  const disguise = join(folder, 'disguise.cjs');
  await writeFile(disguise, `Object.defineProperty(process, 'version', { value: 'v${VERSION}' });`);
  const node = `#!/bin/sh\nexec '${process.execPath}' --require '${disguise}' "$@"\n`;
  await writeFile(join(folder, 'bin/node'), node, { mode: 0o755 });
  return root;
}

function startProgram(t: TestContext, root: string, args: readonly string[]) {
  return startCommand(t, root, [process.execPath, 'server/tributary.js', ...args]);
}

async function startCommand(
  t: TestContext,
  root: string,
  [program, ...args]: readonly [string, ...string[]],
  variables: Record<string, string> = {},
) {
  const child = spawn(program, args, {
    cwd: root,
    env: { PATH: process.env.PATH, ...variables },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  t.after(() => child.kill('SIGKILL'));
  const ended = once(child, 'exit') as Promise<[number | null, string | null]>;
  const outputEnded = once(child.stdout, 'end');
  const report: Report = JSON.parse(await readLine(child));
  return { child, report, ended, outputEnded };
}

async function readLine(child: ChildProcess): Promise<string> {
  let text = '';
  for await (const chunk of child.stdout?.iterator({ destroyOnReturn: false }) ?? []) {
    text += chunk;
    if (text.includes('\n')) break;
  }
  child.stdout?.resume();
  return text;
}

/** Returns what the launcher prints when it exits with 1. */
async function failToStart(root: string): Promise<string> {
  const outcome = await promisify(execFile)(process.execPath, ['server/tributary.js', 'serve'], { cwd: root }).then(
    () => assert.fail('it started'),
    (error: { code: unknown; stdout: string; stderr: string }) => error,
  );
  assert.deepEqual([outcome.code, outcome.stdout], [1, ''], outcome.stderr);
  return outcome.stderr;
}

/** Uses the parser inside Node with ES2020, which Node 14 supports. */
async function assertParses(source: string): Promise<void> {
  const parse = `require('internal/deps/acorn/acorn/dist/acorn').parse(process.argv[1], { ecmaVersion: 2020, sourceType: 'module' })`;
  await promisify(execFile)(process.execPath, ['--expose-internals', '-e', parse, source]);
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
