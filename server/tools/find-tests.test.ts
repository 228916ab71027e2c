import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { findTests, needsDatabase, type Stage } from './find-tests.ts';

const PURE = 'server/src/features/people/users/form1.test.ts';
const SPAWNING = 'server/launch.test.ts';
const STORE = 'server/src/features/people/users/store.db.test.ts';
const API = 'server/test/api/users.test.ts';
const GOLDEN = 'server/test/golden/golden.test.ts';
const FORMS = 'server/test/api/forms-agree.long.test.ts';
const LONG_STORE = 'server/src/features/people/users/order.long.db.test.ts';
const EMBEDDED = 'server/src/platform/embedded-postgres/roles.db.test.ts';
const INSTALL = 'server/test/install/install.test.ts';
const LONG_API = 'server/test/api/walk.long.test.ts';
const JOURNEY = 'server/test/journeys/first-day.test.ts';
const PROPERTY = 'server/src/domain/scores/score.test.ts';

describe('finding the tests of a run', () => {
  let root = '';
  before(async () => {
    root = await mkdtemp(path.join(tmpdir(), 'find-tests-'));
    const others = [
      'server/src/main.ts',
      'server/node_modules/a/a.test.ts',
      'server/src/features/people/users-more/a.test.ts',
    ];
    for (const file of [PURE, STORE, LONG_STORE, EMBEDDED, API, GOLDEN, FORMS, LONG_API, INSTALL, JOURNEY, ...others]) {
      await mkdir(path.dirname(path.join(root, file)), { recursive: true });
      await writeFile(path.join(root, file), '');
    }
    await mkdir(path.dirname(path.join(root, PROPERTY)), { recursive: true });
    await writeFile(path.join(root, PROPERTY), `import { runsOf } from '../../../test/support/property-runs.ts';`);
    await writeFile(path.join(root, SPAWNING), `import { spawn } from 'node:child_process';`);
  });
  after(() => rm(root, { recursive: true }));

  const find = (paths: string[], { only, stage = 'quick' }: { only?: 'database' | 'pure'; stage?: Stage } = {}) =>
    findTests(root, { paths: paths.map((relative) => path.join(root, relative)), stage, only });

  it('finds the tests of a stage and ignores those of packages', async () => {
    assert.deepEqual(await find([]), [
      SPAWNING,
      PROPERTY,
      'server/src/features/people/users-more/a.test.ts',
      PURE,
      STORE,
      EMBEDDED,
      API,
      GOLDEN,
    ]);
    assert.deepEqual(
      await find([], { stage: 'long' }),
      [PROPERTY, LONG_STORE, FORMS, LONG_API, JOURNEY],
      'property tests again',
    );
    assert.deepEqual(await find([], { stage: 'install' }), [INSTALL]);
  });

  it('finds the tests of a folder or file once, whatever their stage', async () => {
    assert.deepEqual(await find(['server/src/features/people/users', PURE]), [PURE, LONG_STORE, STORE]);
    assert.deepEqual(await find([API]), [API]);
    assert.deepEqual(await find(['server/test/install']), [INSTALL]);
    assert.deepEqual(await find([LONG_API]), [LONG_API]);
  });

  it('can keep only the tests of the database', async () => {
    assert.deepEqual(await find([], { only: 'database' }), [STORE, FORMS, GOLDEN]);
    assert.deepEqual(await find([], { only: 'database', stage: 'long' }), [LONG_STORE, STORE, FORMS, GOLDEN]);
    assert.deepEqual(await find(['server/src'], { only: 'database' }), [LONG_STORE, STORE]);
  });

  it('can keep only the tests that need neither a database nor a process', async () => {
    const more = 'server/src/features/people/users-more/a.test.ts';
    assert.deepEqual(await find([], { only: 'pure' }), [PROPERTY, more, PURE]);
    assert.deepEqual(await find(['server/src/features/people/users', SPAWNING], { only: 'pure' }), [PURE]);
  });

  it('rejects a path without tests', async () => {
    await assert.rejects(find(['server/src/main.ts', API]), /no test file matches server\/src\/main\.ts/);
    await assert.rejects(find(['server/test/journeys'], { only: 'database' }), /no test file matches/);
  });

  it('returns whether the tests need a database', () => {
    assert.deepEqual([PURE, STORE, API, JOURNEY, INSTALL].map(needsDatabase), [false, true, true, true, false]);
  });
});
