import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Histogram, Registry } from 'prom-client';
import { registerRequestTimes } from './request-times.ts';

const SECONDS = [0, 0.001, 0.0011, 0.25, 10, 10.5];

describe('registerRequestTimes', () => {
  it('is written out as a histogram of prom-client is', async () => {
    const [ours, theirs] = [new Registry(), new Registry()];
    const observe = registerRequestTimes(ours);
    const histogram = new Histogram({
      name: 'tributary_http_request_seconds',
      help: 'Time to answer, by method, route and status',
      labelNames: ['method', 'route', 'status'],
      buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
      registers: [theirs],
    });
    for (const [method, route, status] of [
      ['GET', '/v1/users/:user_id', 200],
      ['GET', '/v1/users/:user_id', 404],
      ['DELETE', '/v1/users/:user_id', 200],
      ['GET', 'unknown', 404],
    ] as const)
      for (const seconds of SECONDS) {
        observe(method, route, status, seconds);
        histogram.labels(method, route, String(status)).observe(seconds);
      }
    assert.deepEqual((await ours.metrics()).split('\n').sort(), (await theirs.metrics()).split('\n').sort());
  });

  it('is there before anything was asked', async () => {
    const registry = new Registry();
    registerRequestTimes(registry);
    assert.match(await registry.metrics(), /^# TYPE tributary_http_request_seconds histogram$/m);
  });
});
