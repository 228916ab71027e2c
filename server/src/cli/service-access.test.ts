import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, it } from 'node:test';
import { openService, readServiceAccess, readServiceUrl } from './service-access.ts';

describe('the access to a service through its API', () => {
  it('is read without the blanks around it, which secrets in files often have', () => {
    const environment = { TRIBUTARY_URL: ' https://health.example/ \n', TRIBUTARY_API_KEY: 'sk_live_abc\n' };
    assert.deepEqual(readServiceAccess({ environment }), { url: 'https://health.example/', token: 'sk_live_abc' });
    assert.equal(readServiceUrl({ environment: { TRIBUTARY_URL: '' } }), 'http://127.0.0.1:8080');
    assert.throws(() => readServiceAccess({ environment: { TRIBUTARY_API_KEY: ' ' } }), /Set TRIBUTARY_API_KEY/);
  });

  it('keeps the path of a service behind a proxy', async (t) => {
    const paths: (string | undefined)[] = [];
    const server = createServer((request, response) => {
      paths.push(request.url);
      response.end('{}');
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    t.after(() => server.close());
    const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    for (const url of [origin, `${origin}/`, `${origin}/health`, `${origin}/health/`])
      await openService({ url, token: 'sk_live_abc' }, 'test').read('/v1/users', { limit: '1' });
    assert.deepEqual(paths, [
      '/v1/users?limit=1',
      '/v1/users?limit=1',
      '/health/v1/users?limit=1',
      '/health/v1/users?limit=1',
    ]);
  });
});
