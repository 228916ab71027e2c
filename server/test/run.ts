// `npm test` starts one PostgreSQL for all tests that need one, runs Node's test runner, and cleans up.
//   npm test -- server/src/features/people    a folder or a file
//   npm test -- --long                        the long tests instead: kills, journeys, tests over the whole API
//   npm test -- --pure                        only tests that need neither a database nor a process: for every save
//   npm test -- --only-db                     only tests that must also pass on another PostgreSQL (TEST_POSTGRES=system); lists the
//                                             prepared statements that they did not execute. With --long, the long ones too
//   npm test -- --proof FILE                  without the time limit of a build; `npm run prove` uses it
//   npm test -- --test-name-pattern=words     any option of `node --test`

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtempDisposable, readFile } from 'node:fs/promises';
import { constants } from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { HOUR_MS, MINUTE_MS } from '../src/domain/time/durations.ts';
import { findTests, needsDatabase } from '../tools/find-tests.ts';
import { groupTests, MOST_FILES_PER_GROUP, startsProcesses } from '../tools/group-tests.ts';
import { startTestPostgres, type TestPostgres } from '../tools/start-test-postgres.ts';
import { findTemporaryFolder } from '../tools/temporary-folder.ts';
import { prepareBundledProgram } from './support/bundled-program.ts';
import { reportStatements } from './support/executed-statements.ts';
import { trimCompiledCode } from './support/trim-compiled-code.ts';

const ROOT = path.resolve(import.meta.dirname, '../..');
/** Each test file is a process that loads much of the program; a shared compile cache halves the loading time. */
const COMPILED_CODE = path.join(ROOT, 'node_modules/.cache/compiled-tests');
const RESOLVE_SOURCES = pathToFileURL(path.join(ROOT, 'server/resolve-sources.js')).href;
const FOLLOWED_TESTS = pathToFileURL(path.join(import.meta.dirname, 'support/followed-tests.ts')).href;
const RECORD_STATEMENTS = pathToFileURL(path.join(import.meta.dirname, 'support/record-statements.ts')).href;
const SLOWEST_FILES = path.join(import.meta.dirname, 'support/slowest-files.ts');
/** Twice to four times the default: tests allocate much and keep little, and a tenth of their time was garbage collection. */
const YOUNG_GENERATION = '--max-semi-space-size=64';
/** One more than the cores of the smallest build machine, because tests wait: for the database, processes, locks and time limits. */
const PARALLEL_FILES = 3;
const FILE_TIMEOUT_MS = 10 * MINUTE_MS; // a hanging test must not block a build forever
const PROOF_TIMEOUT_MS = 6 * HOUR_MS; // two hundred kills with a restart after each
const IMPATIENT_AFTER_MS = 500; // Ctrl-C reaches us from the terminal, from npm and from the launcher
const GRACE_MS = 5_000; // for a service in a test to shut down by itself

const OWN_OPTIONS = ['--only-db', '--long', '--pure', '--proof'];

const ENDING_SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

type Run = { child: ChildProcess | null; endedBy: (typeof ENDING_SIGNALS)[number] | null; endedMs: number };

async function main(args: readonly string[]): Promise<number> {
  const run: Run = { child: null, endedBy: null, endedMs: 0 };
  for (const signal of ENDING_SIGNALS) process.on(signal, () => endRun(run, signal));

  const isOption = (arg: string) => arg.startsWith('-');
  const paths = args.filter((arg) => !isOption(arg)).map((arg) => path.resolve(arg));
  const options = args.filter((arg) => isOption(arg) && !OWN_OPTIONS.includes(arg));
  const isProof = args.includes('--proof');
  const stage = isProof || args.includes('--long') ? 'long' : 'quick';
  const isPure = args.includes('--pure');
  const only = isPure ? 'pure' : args.includes('--only-db') ? 'database' : undefined;
  const files = await findTests(ROOT, { paths, stage, only });

  for (const line of trimCompiledCode(COMPILED_CODE)) process.stdout.write(`${line}\n`);
  let postgres: TestPostgres | null = null;
  try {
    if (files.some(needsDatabase)) postgres = await startTestPostgres(process.env.TEST_POSTGRES || 'embedded');
    const code = run.endedBy === null ? await runTests(run, options, files, { postgres, stage, only, isProof }) : 0;
    if (postgres !== null && isRecorded(only)) process.stdout.write(reportStatements(postgres.folder));
    return run.endedBy === null ? code : 128 + constants.signals[run.endedBy];
  } finally {
    await postgres?.stop();
  }
}

type Selected = {
  readonly postgres: TestPostgres | null;
  readonly stage: 'quick' | 'long';
  readonly only: 'pure' | 'database' | undefined;
  readonly isProof: boolean;
};

const isRecorded = (only: Selected['only']) => only === 'database';

async function runTests(
  run: Run,
  options: string[],
  files: string[],
  { postgres, stage, only, isProof }: Selected,
): Promise<number> {
  await using folder = await mkdtempDisposable(path.join(findTemporaryFolder(), 'tributary-groups-'));
  await chmod(folder.path, 0o755); // some tests run a service as another user
  // An option may select tests by name, and would not select the test of a whole file.
  const isGrouped = options.length === 0 && !isProof;
  const timeoutMs = isProof ? PROOF_TIMEOUT_MS : FILE_TIMEOUT_MS;
  const programs = isGrouped ? await groupTests(ROOT, files, { folder: folder.path, timeoutMs }) : files;
  const processTimeoutMs = isGrouped ? MOST_FILES_PER_GROUP * timeoutMs : timeoutMs;
  const defaults = [`--test-concurrency=${PARALLEL_FILES}`, `--test-timeout=${processTimeoutMs}`];
  if (!options.some((option) => option.startsWith('--test-reporter')))
    defaults.push(...reportTo('spec', SLOWEST_FILES));
  const program = (await anyStartsProcesses(files)) ? await prepareBundledProgram() : null;
  const env = {
    NODE_COMPILE_CACHE: COMPILED_CODE,
    ...process.env,
    NODE_TEST_CONTEXT: undefined,
    ...(stage === 'long' && { TEST_PROPERTY_RUNS: 'full' }),
    TEST_DATABASE_URL: postgres?.url,
    TEST_RUN_FOLDER: postgres?.folder,
    TEST_PROGRAM: program ?? undefined,
    // Elsewhere the temporary folder has a long path, and that of a socket must be short.
    ...(process.platform === 'linux' && { TMPDIR: postgres?.folder ?? folder.path }),
  };
  // A separate process group: processes of the tests end with them, and Ctrl-C reaches us first.
  const detached = process.platform !== 'win32';
  const preloaded = [RESOLVE_SOURCES, FOLLOWED_TESTS, ...(isRecorded(only) ? [RECORD_STATEMENTS] : [])].map(
    (url) => `--import=${url}`,
  );
  const args = [YOUNG_GENERATION, ...preloaded, '--test', ...defaults, ...options, ...programs];
  const child = spawn(process.execPath, args, { cwd: ROOT, env, detached, stdio: ['ignore', 'inherit', 'inherit'] });
  run.child = child;
  const [code] = await once(child, 'exit');
  await endGroup(child);
  return code ?? 1;
}

async function anyStartsProcesses(files: readonly string[]): Promise<boolean> {
  const texts = await Promise.all(files.map((file) => readFile(path.join(ROOT, file), 'utf8')));
  return texts.some(startsProcesses);
}

function reportTo(...reporters: string[]): string[] {
  return reporters.flatMap((reporter) => [`--test-reporter=${reporter}`, '--test-reporter-destination=stdout']);
}

function endRun(run: Run, signal: (typeof ENDING_SIGNALS)[number]): void {
  if (run.endedBy === null) {
    run.endedBy = signal;
    run.endedMs = performance.now();
    signalGroup(run.child, 'SIGTERM');
  } else if (performance.now() - run.endedMs > IMPATIENT_AFTER_MS) {
    signalGroup(run.child, 'SIGKILL');
  }
}

/** Kills processes that a test left running. */
async function endGroup(child: ChildProcess): Promise<void> {
  if (!signalGroup(child, 'SIGTERM')) return;
  process.stdout.write('a test left a process running; killing it\n');
  const deadlineMs = Date.now() + GRACE_MS;
  while (signalGroup(child, 0) && Date.now() < deadlineMs) await delay(50);
  signalGroup(child, 'SIGKILL');
}

/** False if the process is gone. Windows has no groups. */
function signalGroup(child: ChildProcess | null, signal: NodeJS.Signals | 0): boolean {
  if (child?.pid === undefined) return false;
  try {
    return process.platform === 'win32' ? child.kill(signal) : process.kill(-child.pid, signal);
  } catch {
    return false;
  }
}

try {
  process.exitCode = await main(process.argv.slice(2));
} catch (error) {
  process.stdout.write(`npm test: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
