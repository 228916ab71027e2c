import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempDisposableSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, it } from 'node:test';
import { VERSION } from '../src/version.ts';
import { setVersion } from './set-version.ts';

const ROOT = path.resolve(import.meta.dirname, '../..');
const NEXT = '97.98.99';
/** They have packages of their own, numbers that look alike, or are written by `npm run generate`. */
const OTHERS =
  /^(CHANGELOG\.md|docs\/openapi\.json|server\/test\/openapi-clients\/|server\/.*\.ts$|server\/test\/upgrade\/|server\/migrations\/)/;

function listMentions(folder: string, version: string): string[] {
  const files = execFileSync('git', ['ls-files', '-z'], { cwd: ROOT, encoding: 'utf8' }).split('\0');
  const isText = (name: string) => /\.(json|md|toml|yaml|py|ts|js)$/.test(name) && !OTHERS.test(name);
  return files.filter((name) => isText(name) && readFileSync(path.join(folder, name), 'utf8').includes(version));
}

describe('set-version', () => {
  it('changes every file that has the version, and nothing else of it', () => {
    using folder = mkdtempDisposableSync(path.join(tmpdir(), 'tributary-version-'));
    const files = execFileSync('git', ['ls-files', '-z', '--cached'], { cwd: ROOT, encoding: 'utf8' }).split('\0');
    for (const name of files.filter((one) => /\.(json|md|toml|yaml|py|ts|js)$/.test(one))) {
      mkdirSync(path.dirname(path.join(folder.path, name)), { recursive: true });
      cpSync(path.join(ROOT, name), path.join(folder.path, name));
    }
    const before = readFileSync(path.join(folder.path, 'package-lock.json'), 'utf8');
    const changed = setVersion(folder.path, VERSION, NEXT);
    assert.ok(changed.includes('server/package.json') && changed.includes('deploy/helm/tributary/Chart.yaml'));
    assert.deepEqual(changed.sort(), listMentions(folder.path, NEXT).sort());
    const back = setVersion(folder.path, NEXT, VERSION);
    assert.deepEqual(back.sort(), changed.sort());
    assert.equal(readFileSync(path.join(folder.path, 'package-lock.json'), 'utf8'), before);
    const own = listMentions(ROOT, VERSION).filter((name) => name !== 'package-lock.json');
    assert.deepEqual(
      own.filter((name) => !changed.includes(name)),
      [],
      'files with the version that the tool does not know',
    );
  });

  it('rejects what is no version', () => {
    for (const bad of ['', 'next', '1.2', 'v1.2.3', '1.2.3-beta'])
      assert.throws(() => setVersion(ROOT, VERSION, bad), /is not a version such as 1\.2\.3/);
  });
});
