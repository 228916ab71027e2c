// Tests the response and the log of an internal error. This file damages its own database.
import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { startTestService } from '../support/test-service.ts';
import { createUser, newReference } from '../support/test-users.ts';

const logLines: string[] = [];
const service = await startTestService({ logLines });
after(() => service.stop());
const api = service.api();
const { db } = service.running.services;

describe('500 internal', () => {
  it('500 hides the cause and returns the request id, which finds it in the log', async () => {
    await createUser(api);
    await db.query('alter table user_zones rename to user_zones_gone');
    const answer = await api.get('/v1/users');
    await db.query('alter table user_zones_gone rename to user_zones');
    assert.equal(answer.status, 500);
    const requestId = answer.headers.get('x-request-id');
    assert.deepEqual(answer.body, {
      error: 'internal',
      message: 'Internal error. Report it with details.request_id.',
      details: { request_id: requestId },
    });
    const line = logLines
      .map((text) => JSON.parse(text))
      .find((entry) => entry.level === 'error' && entry.request_id === requestId);
    assert.match(line?.err.message, /user_zones/);
    assert.equal(line?.route, '/v1/users');
  });

  it('500 for a failed statement whose error quotes the row: the log has the error without personal data', async () => {
    const reference = newReference();
    await db.query(`alter table users add constraint broken check (reference_id <> '${reference}') not valid`);
    const answer = await api.post('/v1/users', {
      external_ref: reference,
      metadata: { secret: `${reference}-secret` },
    });
    await db.query('alter table users drop constraint broken');
    assert.equal(answer.status, 500, answer.text);
    assert.ok(!answer.text.includes('broken'));
    const log = logLines.join('');
    assert.match(log, /violates check constraint/);
    assert.ok(!log.includes(reference), 'the reference is in the log');
  });

  it('200 afterwards: the service keeps running', async () => {
    assert.equal((await api.get('/v1/users')).status, 200);
  });
});
