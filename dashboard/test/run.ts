// `npm run test:browser` builds the dashboard once, starts one PostgreSQL, and runs the browser tests.
//   npm run test:browser -- keys settings      some files, by name or path
//   TEST_SHOTS=1 npm run test:browser          also writes screenshots to dashboard/shots
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { globSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { startTestPostgres } from '../../server/tools/start-test-postgres.ts';
import { findChromium } from './support/find-chromium.ts';

const ROOT = path.resolve(import.meta.dirname, '../..');
/** Shared with `npm test`: each file loads the whole service. */
const COMPILED_CODE = path.join(ROOT, 'node_modules/.cache/compiled-tests');
const RESOLVE_SOURCES = pathToFileURL(path.join(ROOT, 'server/resolve-sources.js')).href;
const FOLLOWED_TESTS = pathToFileURL(path.join(ROOT, 'server/test/support/followed-tests.ts')).href;
const PARALLEL_FILES = 3; // each is a browser and a service
const FILE_TIMEOUT_MS = 600_000;

async function main(args: readonly string[]): Promise<number> {
  if (findChromium() === null) {
    process.stdout.write(
      'Browser tests skipped: Chromium is not installed. Install it, or set CHROMIUM to its path.\n',
    );
    return 0;
  }
  const names = args.filter((arg) => !arg.startsWith('-')).map((arg) => path.basename(arg, '.browser.ts'));
  const options = args.filter((arg) => arg.startsWith('-'));
  const files = globSync('dashboard/test/*.browser.ts', { cwd: ROOT })
    .filter((file) => names.length === 0 || names.includes(path.basename(file, '.browser.ts')))
    .sort();
  if (files.length === 0) throw new Error(`no browser test is named ${names.join(' or ')}`);
  const built = await run(['dashboard/tools/build.ts', '--if-stale'], {});
  if (built !== 0) return built;
  const postgres = await startTestPostgres(process.env.TEST_POSTGRES || 'embedded');
  try {
    const settings = [`--test-concurrency=${PARALLEL_FILES}`, `--test-timeout=${FILE_TIMEOUT_MS}`];
    return await run(
      [`--import=${RESOLVE_SOURCES}`, `--import=${FOLLOWED_TESTS}`, '--test', ...settings, ...options, ...files],
      {
        TEST_DATABASE_URL: postgres.url,
        TEST_RUN_FOLDER: postgres.folder,
        // The profile of a browser is hundreds of files; on Linux the folder is in memory if there is room.
        ...(process.platform === 'linux' && { TMPDIR: postgres.folder }),
      },
    );
  } finally {
    await postgres.stop();
  }
}

async function run(args: readonly string[], env: Record<string, string>): Promise<number> {
  const child = spawn(process.execPath, args, {
    cwd: ROOT,
    env: { NODE_COMPILE_CACHE: COMPILED_CODE, ...process.env, NODE_TEST_CONTEXT: undefined, ...env },
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  const [code] = await once(child, 'exit');
  return code ?? 1;
}

process.exitCode = await main(process.argv.slice(2));
