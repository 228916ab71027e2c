import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { startTestPostgres } from './start-test-postgres.ts';

const hasCitus = process.env.TEST_POSTGRES?.startsWith('citus:') === true;

describe('TEST_POSTGRES=citus:URL', () => {
  it('rejects a server without Citus and says what to do', { skip: hasCitus }, async () => {
    const url = process.env.TEST_DATABASE_URL ?? assert.fail('run with npm test');
    await assert.rejects(startTestPostgres(`citus:${url}`), /does not load Citus.*shared_preload_libraries = 'citus'/);
  });
});
