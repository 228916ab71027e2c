// `npm run prove` runs the tests behind the promises with a seed and writes docs/promises.md. `--help` lists its options.
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { PROMISES, type Promised } from './proof/promises.ts';
import { type Proof, readResult, type TestOutput, writePage } from './proof/report.ts';

const ROOT = path.resolve(import.meta.dirname, '../..');
const PAGE = path.join(ROOT, 'docs/promises.md');
const RUNNER = path.join(import.meta.dirname, 'run.ts');

const USAGE = `npm run prove                        the short form of all promises
npm run prove -- --long              for a night
npm run prove -- --only fuzz,kill    some promises: ${PROMISES.map(({ name }) => name).join(', ')}
npm run prove -- --seed 7            repeats a run; without it, the seed comes from the commit
npm run prove -- --ci                what .ci/run needs: other seeds than its other stages, and no change of the page
`;

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      help: { type: 'boolean', short: 'h', default: false },
      long: { type: 'boolean', default: false },
      ci: { type: 'boolean', default: false },
      seed: { type: 'string' },
      only: { type: 'string' },
    },
  });
  if (values.help) {
    process.stdout.write(USAGE);
    return 0;
  }
  const head = git('rev-parse', '--short=8', 'HEAD');
  const seed = Number(values.seed ?? Number.parseInt(head, 16) % 1_000_000);
  const commit = git('status', '--porcelain', '--', ':!docs/promises.md') === '' ? head : `${head} with changes`;
  const form = values.long ? 'long' : 'short';
  const proofs: Proof[] = [];
  const prove = async (promised: Promised, print: (text: string) => void) => {
    print(`\n=== ${promised.name}: ${promised.promise}${promised.isSeeded ? ` (seed ${seed})` : ''}\n`);
    const result = readResult(promised, await runTests(promised, form, { seed, print }));
    const date = new Date().toISOString().slice(0, 10);
    proofs.push({ name: promised.name, ...result, form, seed: promised.isSeeded ? seed : null, commit, date });
  };
  const selected = selectPromises(values.only?.split(','), values.ci);
  if (values.ci) {
    // At once, as each uses one core; each prints its output when it has ended.
    const outputs = await Promise.all(selected.map((promised) => collect((print) => prove(promised, print))));
    process.stdout.write(outputs.join(''));
  } else {
    for (const promised of selected) {
      await prove(promised, (text) => void process.stdout.write(text));
      writeFileSync(PAGE, writePage(PROMISES, readPage(), proofs)); // after each, because a night can be interrupted
    }
  }
  process.stdout.write(
    `\n${proofs.map(({ name, n, result }) => `${name}: ${n}, ${result}`).join('\n')}\nseed ${seed}\n`,
  );
  return proofs.every(({ result }) => result === 'kept') ? 0 : 1;
}

function git(...args: string[]): string {
  return execFileSync('git', args, { cwd: ROOT, encoding: 'utf8' }).trim();
}

function selectPromises(names: readonly string[] | undefined, isCi: boolean): readonly Promised[] {
  const unknown = names?.find((name) => !PROMISES.some((promised) => promised.name === name));
  if (unknown !== undefined)
    throw new Error(`no promise ${unknown}; there are ${PROMISES.map(({ name }) => name).join(', ')}`);
  return PROMISES.filter(({ name, inCi }) => (names === undefined || names.includes(name)) && (!isCi || inCi === true));
}

async function collect(work: (print: (text: string) => void) => Promise<void>): Promise<string> {
  let output = '';
  await work((text) => {
    output += text;
  });
  return output;
}

type Run = { readonly seed: number; print(text: string): void };

async function runTests(promised: Promised, form: 'short' | 'long', { seed, print }: Run): Promise<TestOutput> {
  const files = promised.files.flatMap((file) =>
    file.endsWith('-') ? globSync(`${file}*.test.ts`, { cwd: ROOT }) : [file],
  );
  const args = [RUNNER, '--long', ...(form === 'long' ? ['--proof'] : []), ...files];
  const env = { ...process.env, FAULT_SEED: String(seed), ...promised[form] };
  const child = spawn(process.execPath, args, { cwd: ROOT, env, stdio: ['ignore', 'pipe', 'inherit'] });
  let text = '';
  child.stdout.setEncoding('utf8').on('data', (part: string) => {
    text += part;
    print(part);
  });
  const [code] = await once(child, 'close');
  return { text, hasFailed: code !== 0 };
}

function readPage(): string {
  try {
    return readFileSync(PAGE, 'utf8');
  } catch {
    return '';
  }
}

try {
  process.exitCode = await main();
} catch (error) {
  process.stdout.write(`npm run prove: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
