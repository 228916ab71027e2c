// Reads the output of a test run, and keeps docs/promises.md: one row per promise, with its last run.
import type { Promised } from './promises.ts';

export type Proof = {
  readonly name: string;
  readonly n: string;
  readonly result: string;
  readonly form: 'short' | 'long';
  /** Null: the tests do not draw from it. */
  readonly seed: number | null;
  readonly commit: string;
  readonly date: string;
};

const HEAD = `# Promises

What the service promises, how that is proven, and the last run. \`npm run prove\` writes this page; \`npm run prove -- --long\` takes a night, \`--seed\` repeats
a run of randomized tests; all others try the same cases every time. With n requests, events or kills without a failure, the failure rate is
below 3/n with 95 % confidence; where n counts tests, each has its own cases.

| Promise | Method | n | Result | Run |
| --- | --- | --- | --- | --- |
`;

/** `text` is that of the spec reporter. A run can fail without a failed test, for example when it is killed. */
export type TestOutput = { readonly text: string; readonly hasFailed: boolean };

export function readResult(
  { counted, unit = 'tests' }: Promised,
  { text, hasFailed }: TestOutput,
): { n: string; result: string } {
  const numberOf = (word: string) => Number(new RegExp(`^ℹ ${word} (\\d+)$`, 'm').exec(text)?.[1] ?? 0);
  const [passed, failed, skipped] = [numberOf('pass'), numberOf('fail') + numberOf('cancelled'), numberOf('skipped')];
  const trials = counted === undefined ? passed : sum([...text.matchAll(counted)].map(([, found]) => Number(found)));
  const failure = explainFailure({ failed, hasFailed, trials: passed === 0 ? 0 : trials });
  return {
    n: `${trials.toLocaleString('en')} ${unit}${skipped > 0 ? `, tests skipped: ${skipped}` : ''}`,
    result: failure === null ? 'kept' : `**broken**: ${failure}`,
  };
}

function explainFailure(run: { failed: number; hasFailed: boolean; trials: number }): string | null {
  if (run.failed > 0) return `${run.failed} tests failed`;
  if (run.hasFailed) return 'the runner failed';
  return run.trials === 0 ? 'nothing was tried' : null;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, each) => total + each, 0);
}

/** Rows of promises that were not run stay as they are. */
export function writePage(promises: readonly Promised[], before: string, proofs: readonly Proof[]): string {
  const rows = promises.map((promised) => {
    const proof = proofs.find(({ name }) => name === promised.name);
    return proof === undefined
      ? (findRow(before, promised) ?? presentRow(promised, null))
      : presentRow(promised, proof);
  });
  return `${HEAD}${rows.join('\n')}\n`;
}

function findRow(page: string, { promise }: Promised): string | undefined {
  return page.split('\n').find((line) => line.startsWith(`| ${promise} |`));
}

function presentRow({ promise, method, name }: Promised, proof: Proof | null): string {
  const [n, result] = proof === null ? ['', 'not run'] : [proof.n, proof.result];
  const facts =
    proof === null ? [] : [...(proof.seed === null ? [] : [`seed ${proof.seed}`]), proof.commit, proof.date];
  const run = [`\`${name}\`${proof === null ? '' : ` ${proof.form}`}`, ...facts].join(', ');
  return `| ${promise} | ${method} | ${n} | ${result} | ${run} |`;
}
