import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { startTestService, type TestService } from '../../../../test/support/test-service.ts';

describe('reads of users that share a statement', () => {
  let service: TestService;
  before(async () => {
    service = await startTestService();
  });
  after(() => service.stop());

  it('stay within their environment and give each caller its own user', async () => {
    const [live, sandbox] = [service.api(service.keys.live), service.api(service.keys.sandbox)];
    const names = Array.from({ length: 20 }, (_, index) => `person-${index}`);
    const ids = await Promise.all(
      names.map(async (name) => (await live.post('/v1/users', { reference_id: name })).body.data.id as string),
    );
    const answers = await Promise.all(
      ids.flatMap((id) => [live.get(`/v1/users/${id}`), sandbox.get(`/v1/users/${id}`), live.get(`/v1/users/${id}`)]),
    );
    assert.deepEqual(
      answers.map((answer) => (answer.status === 200 ? answer.body.data.reference_id : answer.status)),
      names.flatMap((name) => [name, 404, name]),
    );
  });
});
