import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createShrinkwrap } from './shrinkwrap.ts';

const LOCK = {
  lockfileVersion: 3,
  packages: {
    '': { name: 'root' },
    'node_modules/a': { version: '1.0.0', dependencies: { b: '1', c: '1' }, optionalDependencies: { d: '1' } },
    'node_modules/a/node_modules/b': { version: '1.0.0', dependencies: { c: '1' } },
    'node_modules/b': { version: '2.0.0', dev: true },
    'node_modules/c': { name: 'empty', version: '1.0.0', devOptional: true },
    'node_modules/d': { version: '1.0.0', optional: true },
    'node_modules/e': { version: '1.0.0', devOptional: true },
  },
};

describe('createShrinkwrap', () => {
  it('keeps what the package needs, with the place and the name of each module', () => {
    const manifest = { name: 'x', version: '0.1.0', dependencies: { a: '1' }, optionalDependencies: { e: '1' } };
    assert.deepEqual(createShrinkwrap(LOCK, manifest), {
      name: 'x',
      version: '0.1.0',
      lockfileVersion: 3,
      requires: true,
      packages: {
        '': manifest,
        'node_modules/a': LOCK.packages['node_modules/a'],
        'node_modules/a/node_modules/b': { version: '1.0.0', dependencies: { c: '1' } },
        'node_modules/c': { name: 'empty', version: '1.0.0' },
        'node_modules/d': { version: '1.0.0', optional: true },
        'node_modules/e': { version: '1.0.0', optional: true },
      },
    });
  });

  it('refuses a dependency that the lock file does not have', () => {
    assert.throws(
      () => createShrinkwrap(LOCK, { name: 'x', version: '0.1.0', dependencies: { z: '1' } }),
      /package-lock\.json has no entry for z: run npm install/,
    );
  });
});
