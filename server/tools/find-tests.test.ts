import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { findTests, needsDatabase } from './find-tests.ts';

const PURE = 'server/src/features/users/form1.test.ts';
const STORE = 'server/src/features/users/store.db.test.ts';
const API = 'server/test/api/users.test.ts';
const INSTALL = 'server/test/install/install.test.ts';
const JOURNEY = 'server/test/journeys/first-day.test.ts';

describe('the tests of a run', () => {
  let root = '';
  before(async () => {
    root = await mkdtemp(path.join(tmpdir(), 'find-tests-'));
    const others = [
      'server/src/main.ts',
      'server/node_modules/a/a.test.ts',
      'server/src/features/users-more/a.test.ts',
    ];
    for (const file of [PURE, STORE, API, INSTALL, JOURNEY, ...others]) {
      await mkdir(path.dirname(path.join(root, file)), { recursive: true });
      await writeFile(path.join(root, file), '');
    }
  });
  after(() => rm(root, { recursive: true }));

  const find = (paths: string[], onlyDatabase = false) =>
    findTests(root, { paths: paths.map((place) => path.join(root, place)), onlyDatabase });

  it('are all by default, without those of packages and those that need the package registry', async () => {
    assert.deepEqual(await find([]), ['server/src/features/users-more/a.test.ts', PURE, STORE, API, JOURNEY]);
  });

  it('are those of a folder, or a file, each once', async () => {
    assert.deepEqual(await find(['server/src/features/users', PURE]), [PURE, STORE]);
    assert.deepEqual(await find([API]), [API]);
    assert.deepEqual(await find(['server/test/install']), [INSTALL]);
  });

  it('are narrowed to the database', async () => {
    assert.deepEqual(await find([], true), [STORE, API]);
    assert.deepEqual(await find(['server/src'], true), [STORE]);
  });

  it('are refused when a path holds none', async () => {
    await assert.rejects(find(['server/src/main.ts', API]), /no test file matches server\/src\/main\.ts/);
    await assert.rejects(find(['server/test/journeys'], true), /no test file matches/);
  });

  it('say whether they need a database', () => {
    assert.deepEqual([PURE, STORE, API, JOURNEY, INSTALL].map(needsDatabase), [false, true, true, true, false]);
  });
});
