// Runs the shell blocks of a guide as one script, in an empty folder, and returns what each block printed.
import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import type { Block } from './read-blocks.ts';

const run = promisify(execFile);
const MARK = '@@@ block';
const LIMIT_MS = 120_000;

/** An error response ends the script, `tributary` is the command bridge, and so are the ways to call it from npm. */
const PREPARATION = `set -euo pipefail
curl() { command curl --fail-with-body "$@" && echo; }
run_tributary() {
  local query=(--url-query "env=$PWD") name argument
  for name in TRIBUTARY_URL TRIBUTARY_API_KEY TRIBUTARY_NEW_MASTER_KEY \${!AWS_*}; do
    if [ -n "\${!name:-}" ]; then query+=(--url-query "env=$name=\${!name}"); fi
  done
  for argument; do query+=(--url-query "arg=$argument"); done
  command curl -sS --fail-with-body "$BRIDGE_URL" "\${query[@]}" --data-binary @-
}
tributary() { run_tributary "$@"; }
npm() { [ "$1 $2 $3 $4" = 'run -s tributary --' ] && run_tributary "\${@:5}"; }
npx() { [ "$1" = tributary ] && run_tributary "\${@:2}"; }
`;

type PageRun = {
  readonly blocks: readonly Block[];
  readonly environment: Readonly<Record<string, string>>;
  /** Commands that a reader has run before, on this page or another. */
  readonly before: string;
  readonly replace: Readonly<Record<string, string>>;
};

export async function runPage({ blocks, environment, before, replace }: PageRun): Promise<Map<string, string>> {
  const folder = await mkdtemp(path.join(tmpdir(), 'tributary-docs-'));
  try {
    const own = blocks.map(
      ({ code, name }) =>
        `echo '${MARK}'\n: ${JSON.stringify(name).replaceAll(/[$`]/g, '')}\n${fillIn(code, replace, environment)}`,
    );
    const script = [PREPARATION, before, ...own].join('\n');
    const child = run('bash', ['-c', script], {
      cwd: folder,
      env: { ...process.env, ...environment },
      maxBuffer: 64 * 1024 * 1024,
      timeout: LIMIT_MS,
    });
    child.child.stdin?.end();
    const { stdout } = await child;
    const [, ...printed] = stdout.split(`${MARK}\n`);
    return new Map(blocks.map(({ name }, index) => [name, printed[index] ?? '']));
  } catch (error) {
    const { stdout = '', stderr = '', message = '' } = error as { stdout?: string; stderr?: string; message?: string };
    throw new Error(`${stderr || message}\nafter:\n${stdout.slice(-2000)}`);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** A replacement that is a variable is replaced by its value, as the text may be within single quotes. */
function fillIn(
  code: string,
  replace: Readonly<Record<string, string>>,
  environment: Readonly<Record<string, string>>,
): string {
  return Object.entries(replace).reduce((text, [from, to]) => {
    const value = to.startsWith('$') ? (environment[to.slice(1)] ?? to) : to;
    return text.replaceAll(from, () => value);
  }, code);
}
