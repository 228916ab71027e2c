// The metrics of a running service: names, values, and a database that is away.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { findMetricProblems } from '../support/metric-rules.ts';
import { listAlerts, listGroupings, listNamed, listQueries } from '../support/promql.ts';
import { parseScrape, type ScrapedMetric, seriesValue } from '../support/scrape.ts';
import { createFrozenClock } from '../support/test-clock.ts';
import { startTestService, type TestService } from '../support/test-service.ts';

const ROOT = join(import.meta.dirname, '../../..');
const readText = (path: string) => readFileSync(join(ROOT, path), 'utf8');
const ADDED_BY_PROMETHEUS = ['instance', 'job', 'le'];

describe('GET /metrics', () => {
  const clock = createFrozenClock(new Date()); // without refills of the rate limit
  let service: TestService;
  let text: string;
  let metrics: ScrapedMetric[];

  async function scrape(): Promise<void> {
    clock.advance(16_000); // beyond the time for which values are kept
    text = await (await fetch(`${service.url}/metrics`)).text();
    metrics = parseScrape(text);
  }

  before(async () => {
    service = await startTestService({ clock, realLimits: true });
    await service.api(service.keys.live).post('/v1/users', { reference_id: 'metrics-1' });
    await scrape();
  });
  after(() => service.stop());

  it('200 follows the naming rules of Prometheus', () => {
    assert.ok(metrics.length > 40);
    assert.deepEqual(metrics.flatMap(findMetricProblems), []);
  });

  it('200 says for each metric of ours whether it is of the process or of the service', () => {
    const own = metrics.filter(({ name }) => name.startsWith('tributary_'));
    assert.ok(own.length > 30);
    for (const { name, help } of own) assert.match(help, /\((this process|whole service[^)]*)\)$/, name);
  });

  it('200 keeps the standard names of the runtime', () => {
    for (const name of [
      'process_cpu_seconds_total',
      'process_resident_memory_bytes',
      'nodejs_eventloop_lag_p99_seconds',
    ])
      assert.ok(seriesValue(metrics, name) !== undefined, name);
  });

  it('200 has version, users, pools, sizes and the next key expiry', () => {
    const version = service.running.services.settings.version;
    assert.equal(seriesValue(metrics, 'tributary_build_info', { version, node_version: process.version }), 1);
    assert.equal(seriesValue(metrics, 'tributary_users', { environment: 'live' }), 1);
    assert.equal(seriesValue(metrics, 'tributary_users', { environment: 'sandbox' }), 0);
    assert.equal(seriesValue(metrics, 'tributary_processes', { role: 'all', version }), 1);
    for (const pool of ['reads', 'writes', 'jobs', 'loops']) {
      assert.ok((seriesValue(metrics, 'tributary_database_pool_max_connections', { pool }) ?? 0) >= 8);
      assert.equal(seriesValue(metrics, 'tributary_database_pool_waiting', { pool }), 0);
    }
    assert.ok((seriesValue(metrics, 'tributary_database_size_bytes') ?? 0) > 1_000_000);
    assert.ok((seriesValue(metrics, 'tributary_disk_free_bytes') ?? 0) > 0);
    const expiry = seriesValue(metrics, 'tributary_api_key_next_expiry_seconds', { environment: 'live' }) ?? 0;
    assert.ok(expiry > 89 * 86_400 && expiry < 90 * 86_400, `${expiry}`);
  });

  it('200 has every metric and label of the alert rules and the dashboard in deploy/', () => {
    const labelNames = new Map(
      service.running.services.metrics.describe().map(({ name, labelNames }) => [name, labelNames] as const),
    );
    const labelsOf = (name: string): readonly string[] => {
      const stem = name.replace(/_(bucket|sum|count)$/, '');
      const found = metrics.find((metric) => metric.name === name || metric.name === stem);
      assert.ok(found !== undefined || name === 'up', `no metric ${name}`);
      const scraped = (found?.series ?? []).flatMap(({ labels }) => Object.keys(labels));
      return [...(labelNames.get(found?.name ?? '') ?? scraped), ...ADDED_BY_PROMETHEUS];
    };
    const alerts = listAlerts(readText('deploy/prometheus/alerts.yml'));
    const queries = listQueries(readText('deploy/grafana/tributary.json'));
    assert.ok(alerts.length > 20 && queries.length > 40);
    for (const { expression, legendLabels = [] } of [
      ...alerts.map((alert) => ({ ...alert, legendLabels: [] })),
      ...queries,
    ]) {
      const named = listNamed(expression);
      assert.ok(named.length > 0, expression);
      for (const { metric, labels } of named)
        for (const label of labels) assert.ok(labelsOf(metric).includes(label), `${metric} has no label ${label}`);
      const known = named.flatMap(({ metric }) => labelsOf(metric));
      for (const label of [...listGroupings(expression), ...legendLabels])
        assert.ok(known.includes(label), `${expression} has no label ${label}`);
    }
  });

  it('200 counts devices and disabled webhooks as they are now', async () => {
    const { db } = service.running.services;
    const [user] = await db.query<{ id: string; account_id: string }>('select id, account_id from users');
    await db.query(
      `insert into devices (user_id, id, provider, status) values ($1, gen_random_uuid(), 'oura', 'active'), ($1, gen_random_uuid(), 'oura', 'reauthorize')`,
      [user?.id],
    );
    await db.query(
      `insert into webhooks (id, account_id, environment, url, events, secret, created_at, status, disabled_reason)
       values (gen_random_uuid(), $1, 'live', 'https://receiver.invalid', '{}', '', now(), 'disabled', 'gone')`,
      [user?.account_id],
    );
    await scrape();
    assert.equal(seriesValue(metrics, 'tributary_devices', { provider: 'oura', status: 'active' }), 1);
    assert.equal(seriesValue(metrics, 'tributary_devices', { provider: 'oura', status: 'reauthorize' }), 1);
    assert.equal(seriesValue(metrics, 'tributary_webhooks', { status: 'disabled' }), 1);
    assert.equal(seriesValue(metrics, 'tributary_webhooks_disabled', { reason: 'gone' }), 1);
    await db.query(`delete from devices where status = 'reauthorize'`);
    await scrape();
    assert.equal(seriesValue(metrics, 'tributary_devices', { provider: 'oura', status: 'reauthorize' }), undefined);
  });

  it('200 counts requests beyond the rate limit, by route', async () => {
    const calls = Array.from({ length: 220 }, () => fetch(`${service.url}/v1/catalog/metrics`));
    const rejected = (await Promise.all(calls)).filter(({ status }) => status === 429).length;
    assert.ok(rejected > 0);
    await scrape();
    assert.equal(seriesValue(metrics, 'tributary_http_rate_limited_total', { route: '/v1/catalog/metrics' }), rejected);
  });

  it('200 without the database, with the last values of the service', async () => {
    const { db } = service.running.services;
    const before = seriesValue(metrics, 'tributary_service_gauges_timestamp_seconds');
    await db.close();
    db.attach({ url: 'postgres://nobody@127.0.0.1:1/nothing' });
    await scrape();
    assert.equal(seriesValue(metrics, 'tributary_database_up'), 0);
    assert.equal(seriesValue(metrics, 'tributary_users', { environment: 'live' }), 1);
    assert.equal(seriesValue(metrics, 'tributary_service_gauges_timestamp_seconds'), before);
  });
});

describe('deploy/', () => {
  const rules = readText('deploy/prometheus/alerts.yml');

  it('has a runbook for each alert', () => {
    const headings = [...readText('docs/observability.md').matchAll(/^### (\w+)$/gm)].map(([, heading]) => heading);
    const alerts = listAlerts(rules);
    assert.deepEqual(alerts.map(({ name }) => name).sort(), headings.sort());
    for (const { name, runbook } of alerts) assert.equal(runbook, `docs/observability.md#${name.toLowerCase()}`);
  });

  it('has a row with severity and duration for each alert', () => {
    const page = readText('docs/observability.md');
    const rows = [...page.matchAll(/^\| \[(Tributary\w+)\]\(#(\w+)\) \| (\w+) \| .+ \| (.+) \|$/gm)];
    const unitOf = (lasts: string | null) => (lasts === null ? '–' : lasts.replace(/\d+/, '$& ').replace(/m$/, 'min'));
    assert.deepEqual(
      rows.map(([, name, anchor, severity, lasts]) => [name, anchor, severity, lasts]),
      listAlerts(rules).map(({ name, severity, lasts }) => [name, name.toLowerCase(), severity, unitOf(lasts)]),
    );
  });
});
