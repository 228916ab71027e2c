import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { findTests, needsDatabase, type Stage } from './find-tests.ts';

const PURE = 'server/src/features/people/users/form1.test.ts';
const STORE = 'server/src/features/people/users/store.db.test.ts';
const API = 'server/test/api/users.test.ts';
const INSTALL = 'server/test/install/install.test.ts';
const LONG_API = 'server/test/api/walk.long.test.ts';
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
    for (const file of [PURE, STORE, API, LONG_API, INSTALL, JOURNEY, ...others]) {
      await mkdir(path.dirname(path.join(root, file)), { recursive: true });
      await writeFile(path.join(root, file), '');
    }
  });
  after(() => rm(root, { recursive: true }));

  const find = (paths: string[], { onlyDatabase = false, stage = 'quick' as Stage } = {}) =>
    findTests(root, { paths: paths.map((place) => path.join(root, place)), stage, onlyDatabase });

  it('are those of a stage, without those of packages', async () => {
    assert.deepEqual(await find([]), ['server/src/features/users-more/a.test.ts', PURE, STORE, API]);
    assert.deepEqual(await find([], { stage: 'long' }), [LONG_API, JOURNEY]);
    assert.deepEqual(await find([], { stage: 'install' }), [INSTALL]);
  });

  it('are those of a folder, or a file, each once, whatever their stage', async () => {
    assert.deepEqual(await find(['server/src/features/users', PURE]), [PURE, STORE]);
    assert.deepEqual(await find([API]), [API]);
    assert.deepEqual(await find(['server/test/install']), [INSTALL]);
    assert.deepEqual(await find([LONG_API]), [LONG_API]);
  });

  it('are narrowed to the database', async () => {
    assert.deepEqual(await find([], { onlyDatabase: true }), [STORE, API, LONG_API]);
    assert.deepEqual(await find(['server/src'], { onlyDatabase: true }), [STORE]);
  });

  it('are refused when a path holds none', async () => {
    await assert.rejects(find(['server/src/main.ts', API]), /no test file matches server\/src\/main\.ts/);
    await assert.rejects(find(['server/test/journeys'], { onlyDatabase: true }), /no test file matches/);
  });

  it('say whether they need a database', () => {
    assert.deepEqual([PURE, STORE, API, JOURNEY, INSTALL].map(needsDatabase), [false, true, true, true, false]);
  });
});
