import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, it } from 'node:test';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';

const run = promisify(execFile);
const PROGRAM = pathToFileURL(join(import.meta.dirname, '../../compose.ts')).href;
const WORKER = import.meta.resolve('graphile-worker');

const CODE_FILES = [
  '.graphile-workerrc.js',
  '.graphile-workerrc.cjs',
  '.config/graphile-workerrc.js',
  '.config/graphile-workerrc.cjs',
  'graphile-worker.config.js',
  'graphile-worker.config.cjs',
  '.config.js',
  '.config.cjs',
];
/** graphile-worker ends the process when it finds an old setting in one of them. */
const DATA_FILES = ['.graphile-workerrc', '.graphile-workerrc.json', '.config/graphile-workerrc.json'];

describe('loading the job worker', () => {
  it('runs no configuration file of the working directory or its parents', async (t) => {
    const root = await realpath(await mkdtemp(join(tmpdir(), 'tributary-config-')));
    t.after(() => rm(root, { recursive: true }));
    const marker = join(root, 'marker');
    const code = `require('fs').appendFileSync(${JSON.stringify(marker)}, __filename); module.exports = {};`;
    const plant = async (folder: string, name: string) => {
      await mkdir(dirname(join(folder, name)), { recursive: true });
      await writeFile(join(folder, name), DATA_FILES.includes(name) ? '{"schema": "planted"}' : code);
    };
    const names = [...CODE_FILES, ...DATA_FILES];
    const findings: string[] = [];
    for (const name of names) {
      const parent = join(root, name.replaceAll('/', '-'));
      const cwd = name.startsWith('.config.') ? parent : join(parent, 'a/b');
      await mkdir(cwd, { recursive: true });
      await plant(parent, name);
      if (await isAffected(cwd, WORKER, root, marker)) findings.push(name);
    }
    // Shows that the files would be run: without it a misspelt name would pass.
    assert.deepEqual(findings, names);

    const parent = join(root, 'all');
    const child = join(parent, 'a/b');
    await mkdir(child, { recursive: true });
    for (const name of names) await plant(parent, name);
    for (const cwd of [parent, child]) assert.equal(await isAffected(cwd, PROGRAM, root, marker), false, cwd);
  });
});

async function isAffected(cwd: string, module: string, home: string, marker: string): Promise<boolean> {
  const env = { PATH: process.env.PATH, HOME: home, NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE };
  const isRefused = await run(process.execPath, ['-e', `import(${JSON.stringify(module)})`], { cwd, env }).then(
    () => false,
    () => true,
  );
  const isRun = existsSync(marker);
  await rm(marker, { force: true });
  return isRun || isRefused;
}
