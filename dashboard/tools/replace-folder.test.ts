import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, describe, it } from 'node:test';

const ROUNDS = 150;

/** Puts build after build in place, each with two files that belong together, as fast as it can. */
const BUILDER = `
import { mkdir, writeFile } from 'node:fs/promises';
import { replaceFolder } from ${JSON.stringify(path.join(import.meta.dirname, 'replace-folder.ts'))};
const [root, name] = process.argv.slice(1);
for (let round = 0; round < ${ROUNDS}; round += 1) {
  const folder = root + '/dist-' + name + round;
  await mkdir(folder);
  for (const file of ['page', 'script']) await writeFile(folder + '/' + file, name + round);
  await replaceFolder(folder, root + '/dist', async () => false);
}`;

describe('replaceFolder', () => {
  it('lets two processes build at once: both succeed, and one whole build is in place', async () => {
    const root = await mkdtemp(path.join(tmpdir(), 'replace-folder-'));
    after(() => rm(root, { recursive: true, force: true }));
    const results = await Promise.all(['a', 'b'].map((name) => run(root, name)));
    assert.deepEqual(results, ['', '']);
    assert.deepEqual(await readdir(root), ['dist']);
    const [page, script] = await Promise.all(
      ['page', 'script'].map((file) => readFile(path.join(root, 'dist', file), 'utf8')),
    );
    assert.equal(page, script);
    assert.match(page ?? '', new RegExp(`^[ab]${ROUNDS - 1}$`));
  });
});

/** What the process printed; empty if it succeeded. */
function run(root: string, name: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, ['--input-type=module-typescript', '--eval', BUILDER, root, name]);
    const chunks: Buffer[] = [];
    child.stderr.on('data', (chunk: Buffer) => chunks.push(chunk));
    child.on('error', reject);
    child.on('close', (code) => resolve(code === 0 ? '' : `${code} ${Buffer.concat(chunks).toString()}`));
  });
}
