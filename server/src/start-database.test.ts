import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { AppError } from './platform/errors.ts';
import { explainDatabaseError } from './start-database.ts';

const explain = (cause?: Error) =>
  explainDatabaseError(new AppError('unavailable', { cause }), 'DATABASE_URL')?.message;

describe('explainDatabaseError', () => {
  it('names the setting and the next step for what the driver reports', () => {
    assert.match(explain(new Error('The server does not support SSL connections')) ?? '', /DATABASE_URL.*sslmode/);
    const rejected = Object.assign(new Error('self-signed certificate'), { code: 'DEPTH_ZERO_SELF_SIGNED_CERT' });
    assert.match(explain(rejected) ?? '', /certificate.*DATABASE_URL.*sslrootcert/);
    const missing = new Error('SASL: SCRAM-SERVER-FIRST-MESSAGE: client password must be a string');
    assert.match(explain(missing) ?? '', /password.*DATABASE_URL has none/);
  });

  it('is null for an error that no setting repairs, and for one without a cause', () => {
    assert.equal(explain(new Error('connect ECONNREFUSED')), undefined);
    assert.equal(explain(), undefined);
  });
});
