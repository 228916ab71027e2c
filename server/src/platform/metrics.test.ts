import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createMetrics, type Metrics, mergeMetrics } from './metrics.ts';

function createProcess(renderGroup: (() => Promise<string | null>) | null = null): Metrics {
  return createMetrics({ version: '1.0.0', schema: 1 }, () => ({}) as never, renderGroup);
}

/** As it arrives from another process. */
async function send(metrics: Metrics): Promise<object[]> {
  return JSON.parse(JSON.stringify(await metrics.readValues())) as object[];
}

describe('mergeMetrics', () => {
  it('adds counters and histograms, and merges gauges as each one needs', async () => {
    const [one, other] = [createProcess(), createProcess()];
    one.observeRequest('GET', '/v1/users', 200, 0.004);
    other.observeRequest('GET', '/v1/users', 200, 0.002);
    other.observeRequest('GET', '/v1/users', 404, 0.002);
    one.observeJob('erase_user', 'done', 2);
    one.setJobs({ seconds: 40, retrying: 2, givenUp: 3 });
    other.setJobs({ seconds: 42, retrying: 2, givenUp: 3 });
    one.setDatabaseUp(true);
    other.setDatabaseUp(false);
    const text = await mergeMetrics([await send(one), await send(other)]);
    for (const line of [
      'tributary_http_request_seconds_count{method="GET",route="/v1/users",status="200"} 2',
      'tributary_http_request_seconds_bucket{le="0.0025",method="GET",route="/v1/users",status="200"} 1',
      'tributary_http_request_seconds_count{method="GET",route="/v1/users",status="404"} 1',
      'tributary_jobs_total{job="erase_user",outcome="done"} 1',
      'tributary_job_lag_seconds 42',
      'tributary_jobs_retrying 2',
      'tributary_jobs_failed 3',
      'tributary_database_up 0',
    ])
      assert.ok(text.split('\n').includes(line), `${line} is not in\n${text}`);
  });
});

describe('event-loop lags', () => {
  it('are the largest of all processes, so that a blocked one is visible', async () => {
    const values = await send(createProcess());
    const lag = (seconds: number) =>
      values
        .filter((metric) => 'name' in metric && metric.name === 'nodejs_eventloop_lag_p99_seconds')
        .map((metric) => ({ ...metric, values: [{ labels: {}, value: seconds }] }));
    assert.match(await mergeMetrics([lag(0.01), lag(3), lag(0.02)]), /^nodejs_eventloop_lag_p99_seconds 3$/m);
  });
});

describe('render', () => {
  it('returns the metrics of the group, or of the process if the supervisor cannot be asked', async () => {
    assert.equal(await createProcess(async () => 'of all').render(), 'of all');
    assert.match(await createProcess(async () => null).render(), /tributary_database_up/);
    assert.match(await createProcess().render(), /tributary_database_up/);
  });
});
