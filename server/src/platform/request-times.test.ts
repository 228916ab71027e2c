import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Registry } from 'prom-client';
import { registerRequestTimes } from './request-times.ts';

describe('registerRequestTimes', () => {
  it('counts each response by method, route and status, in the bucket of its duration', async () => {
    const registry = new Registry();
    const observe = registerRequestTimes(registry);
    for (const seconds of [0, 0.001, 0.0011, 0.25, 10, 10.5]) observe('GET', '/v1/users/:user_id', 200, seconds);
    observe('DELETE', '/v1/users/:user_id', 404, 3);
    const lines = (await registry.metrics()).split('\n');
    const ofGet = 'method="GET",route="/v1/users/:user_id",status="200"';
    const ofDelete = 'method="DELETE",route="/v1/users/:user_id",status="404"';
    for (const line of [
      `tributary_http_request_seconds_bucket{le="0.001",${ofGet}} 2`,
      `tributary_http_request_seconds_bucket{le="0.0025",${ofGet}} 3`,
      `tributary_http_request_seconds_bucket{le="0.1",${ofGet}} 3`,
      `tributary_http_request_seconds_bucket{le="0.25",${ofGet}} 4`,
      `tributary_http_request_seconds_bucket{le="10",${ofGet}} 5`,
      `tributary_http_request_seconds_bucket{le="+Inf",${ofGet}} 6`,
      `tributary_http_request_seconds_sum{${ofGet}} 20.7521`,
      `tributary_http_request_seconds_count{${ofGet}} 6`,
      `tributary_http_request_seconds_bucket{le="2.5",${ofDelete}} 0`,
      `tributary_http_request_seconds_bucket{le="5",${ofDelete}} 1`,
      `tributary_http_request_seconds_count{${ofDelete}} 1`,
    ])
      assert.ok(lines.includes(line), `missing: ${line}\n${lines.join('\n')}`);
  });

  it('appears before the first request', async () => {
    const registry = new Registry();
    registerRequestTimes(registry);
    assert.match(await registry.metrics(), /^# TYPE tributary_http_request_seconds histogram$/m);
  });
});
