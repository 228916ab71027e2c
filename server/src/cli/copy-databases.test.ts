import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { explainErrors } from './copy-databases.ts';

const explain = (error: Error) =>
  explainErrors('/data', 'TRIBUTARY_DATA_DIR', () => Promise.reject(error)).catch((explained: Error) => explained);

describe('explainErrors', () => {
  it('says that the database cannot be reached, for each error of a lost connection', async () => {
    for (const error of [
      new Error('Connection terminated unexpectedly'),
      new Error('Client has encountered a connection error and is not queryable'),
      Object.assign(new Error('write'), { code: 'EPIPE' }),
      Object.assign(new Error('shut down'), { code: '57P01' }),
    ]) {
      const { message } = (await explain(error)) as Error;
      assert.match(message, /^The database at \/data cannot be reached \(.+\)\. If a service is/);
    }
  });

  it('keeps an error that it does not know', async () => {
    const error = new Error('a bug');
    assert.equal(await explain(error), error);
  });
});
