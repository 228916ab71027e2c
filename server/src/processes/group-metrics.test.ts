import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { parseScrape, seriesValue } from '../../test/support/scrape.ts';
import { createMetrics, type MetricValues } from '../platform/metrics.ts';
import { createGroupMetrics } from './group-metrics.ts';

const STARTED_AT_MS = 1_800_000_000_400;

/** A process that answers until `isSilent` is set. */
function createProcess() {
  const metrics = createMetrics({ version: '1.0.0', schema: 1 }, () => ({}) as never, null);
  let last: MetricValues | null = null;
  const self = {
    isSilent: false,
    metrics,
    serve: (times: number) => {
      for (let time = 0; time < times; time += 1) metrics.observeRequest('GET', '/v1/users', 200, 0.004);
    },
    lastMetrics: () => last,
    async readMetrics() {
      if (!self.isSilent) last = JSON.parse(JSON.stringify(await metrics.readValues())) as MetricValues;
    },
  };
  return self;
}

describe('createGroupMetrics', () => {
  async function read(group: ReturnType<typeof createGroupMetrics>) {
    const scraped = parseScrape((await group.render()) ?? assert.fail('no metrics'));
    const request = { method: 'GET', route: '/v1/users', status: '200' };
    return {
      requests: seriesValue(scraped, 'tributary_http_request_seconds_count', request),
      fast: seriesValue(scraped, 'tributary_http_request_seconds_bucket', { ...request, le: '0.005' }),
      pool: seriesValue(scraped, 'tributary_database_pool_max_connections', { pool: 'writes' }),
      startedAt: seriesValue(scraped, 'process_start_time_seconds'),
      restarts: seriesValue(scraped, 'tributary_process_restarts_total'),
    };
  }

  it('keeps counters and histograms of ended processes, and drops their gauges', async () => {
    const group = createGroupMetrics(STARTED_AT_MS);
    const [one, other] = [createProcess(), createProcess()];
    for (const process of [one, other]) {
      group.add(process);
      process.metrics.watchPool('writes', () => assert.fail('never opened'), 10);
      process.serve(3);
    }
    const first = await read(group);
    assert.deepEqual([first.requests, first.fast, first.pool], [6, 6, 20]);
    one.serve(2);
    await one.readMetrics(); // as a process reports at its end
    group.remove(one);
    other.serve(1);
    for (const _scrape of [1, 2]) {
      const { requests, fast, pool } = await read(group);
      assert.deepEqual([requests, fast, pool], [9, 9, 10]);
    }
    group.remove(other);
    assert.equal((await read(group)).requests, 9);
  });

  it('uses the last values of a process that does not answer', async () => {
    const group = createGroupMetrics(STARTED_AT_MS);
    const process = createProcess();
    group.add(process);
    process.serve(3);
    assert.equal((await read(group)).requests, 3);
    process.isSilent = true;
    process.serve(1);
    assert.equal((await read(group)).requests, 3);
    process.isSilent = false;
    assert.equal((await read(group)).requests, 4);
  });

  it('counts a process once that ends during a scrape', async () => {
    const group = createGroupMetrics(STARTED_AT_MS);
    const process = createProcess();
    group.add(process);
    process.serve(3);
    const reading = read(group);
    await process.readMetrics();
    group.remove(process);
    assert.equal((await reading).requests, 3);
  });

  it('has the start of the group and the number of restarts', async () => {
    const group = createGroupMetrics(STARTED_AT_MS);
    group.add(createProcess());
    const before = await read(group);
    assert.deepEqual([before.startedAt, before.restarts], [1_800_000_000, 0]);
    group.countRestart();
    group.countRestart();
    assert.equal((await read(group)).restarts, 2);
  });
});
