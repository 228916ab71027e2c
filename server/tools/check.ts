// `npm run check` runs every repository check that is not a test. `npm run check -- types words` runs only those steps.
import { spawn } from 'node:child_process';
import path from 'node:path';

type Step = { name: string; script: string; args: readonly string[] };

const TSC = 'node_modules/typescript/bin/tsc';
/** Several threads check the types that they share once each: twice the work, while the other steps use the other core. */
const TYPES_ONLY = ['--noEmit', '--singleThreaded'];
/** Slowest first, because two run at a time. Each is a process started by this Node in the repository root. */
const STEPS: readonly Step[] = [
  { name: 'types', script: TSC, args: [...TYPES_ONLY, '-p', '.'] },
  { name: 'dashboard', script: TSC, args: [...TYPES_ONLY, '-p', 'dashboard'] },
  { name: 'sdk', script: TSC, args: [...TYPES_ONLY, '-p', 'sdk'] },
  { name: 'generated', script: 'server/tools/generate.ts', args: ['--check'] },
  { name: 'format', script: 'node_modules/@biomejs/biome/bin/biome', args: ['check', '--error-on-warnings', '.'] },
  { name: 'imports', script: 'server/tools/import-rules.ts', args: [] },
  { name: 'pages', script: 'server/tools/dashboard-rules.ts', args: [] },
  { name: 'vocabulary', script: 'server/tools/check-vocabulary.ts', args: [] },
  { name: 'tables', script: 'server/tools/check-table-owners.ts', args: [] },
  { name: 'distributed', script: 'server/tools/check-distributed.ts', args: [] },
  { name: 'exports', script: 'server/tools/unused-exports.ts', args: [] },
  { name: 'small-files', script: 'server/tools/small-files.ts', args: [] },
  { name: 'words', script: 'server/tools/check-words.ts', args: [] },
  { name: 'migrations', script: 'server/tools/check-migrations.ts', args: [] },
  { name: 'lockfile', script: 'server/tools/check-lockfile.ts', args: [] },
];

/** The number of cores of the smallest build machine. */
const PARALLEL_STEPS = 2;

const ROOT = path.resolve(import.meta.dirname, '../..');

async function main(names: readonly string[]): Promise<void> {
  const unknown = names.filter((name) => !STEPS.some((step) => step.name === name));
  if (unknown.length > 0) {
    process.stdout.write(
      `unknown step: ${unknown.join(' ')} (available: ${STEPS.map((step) => step.name).join(' ')})\n`,
    );
    process.exitCode = 1;
    return;
  }
  const waiting = STEPS.filter((step) => names.length === 0 || names.includes(step.name));
  const worker = async () => {
    for (let step = waiting.shift(); step !== undefined; step = waiting.shift()) await reportStep(step);
  };
  await Promise.all(Array.from({ length: PARALLEL_STEPS }, worker));
}

async function reportStep(step: Step): Promise<void> {
  const startedMs = performance.now();
  const { isOk, output } = await runStep(step);
  const seconds = ((performance.now() - startedMs) / 1000).toFixed(1);
  if (isOk) {
    process.stdout.write(`ok    ${step.name.padEnd(10)} ${seconds} s\n`);
  } else {
    process.stdout.write(`FAIL  ${step.name.padEnd(10)} ${seconds} s\n${output.trimEnd()}\n`);
    process.exitCode = 1;
  }
}

function runStep(step: Step): Promise<{ isOk: boolean; output: string }> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [step.script, ...step.args], {
      cwd: ROOT,
      env: { ...process.env, GOGC: '400' }, // TypeScript collects garbage less often: it needs 1 GB
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const chunks: Buffer[] = [];
    child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk));
    child.stderr.on('data', (chunk: Buffer) => chunks.push(chunk));
    child.on('error', reject);
    child.on('close', (code) => resolve({ isOk: code === 0, output: Buffer.concat(chunks).toString('utf8') }));
  });
}

await main(process.argv.slice(2));
