// Several processes start at once on an empty database: one of them creates the account, and its printed keys work.
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { createEmptyDatabase } from '../support/test-database.ts';
import { startTestService } from '../support/test-service.ts';

it('two API processes and a worker on an empty database print one pair of working keys', async () => {
  const database = await createEmptyDatabase();
  const environment = { TRIBUTARY_MASTER_KEY: Buffer.alloc(32, 7).toString('base64') };
  const roles = ['api', 'api', 'worker'] as const;
  const services = await Promise.all(
    roles.map((role) => startTestService({ role, environment, databaseUrl: database.url })),
  );
  try {
    const keys = services.flatMap((service) => service.running.newKeys);
    assert.deepEqual(keys.map((key) => key.environment).sort(), ['live', 'sandbox']);
    assert.deepEqual(services[2]?.running.newKeys, [], 'a worker prints none');
    for (const { key } of keys) {
      const answers = await Promise.all(services.slice(0, 2).map((service) => service.api(key).get('/v1/users')));
      assert.deepEqual(
        answers.map((answer) => answer.status),
        [200, 200],
      );
    }
  } finally {
    await Promise.all(services.map((service) => service.stop()));
    await database.drop();
  }
});
