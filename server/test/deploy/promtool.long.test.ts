// promtool accepts what the service reports, the alert rules, and the queries of the dashboard for Grafana.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempDisposableSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { listQueries } from '../support/promql.ts';
import { REPOSITORY } from '../support/service-process.ts';
import { startTestService } from '../support/test-service.ts';

const skip = spawnSync('promtool', ['--version']).status !== 0 && 'promtool is not installed';
const readText = (path: string) => readFileSync(join(REPOSITORY, path), 'utf8');

describe('promtool', { skip }, () => {
  it('accepts the metrics', async (t) => {
    const service = await startTestService();
    t.after(() => service.stop());
    const input = await (await fetch(`${service.url}/metrics`)).text();
    assert.match(input, /^tributary_build_info/m);
    const { status, stdout, stderr } = spawnSync('promtool', ['check', 'metrics'], { input, encoding: 'utf8' });
    assert.equal(`${status} ${stdout}${stderr}`, '0 ');
  });

  it('accepts the alert rules and the queries of the dashboard', () => {
    using folder = mkdtempDisposableSync(join(tmpdir(), 'tributary-rules-'));
    const queries = listQueries(readText('deploy/grafana/tributary.json'));
    assert.ok(queries.length > 10);
    const rules = queries.map(({ expression }, index) => ({ record: `query:${index}`, expr: expression }));
    const files = ['alerts.yml', 'dashboard.yml'].map((name) => join(folder.path, name));
    const texts = [
      readText('deploy/prometheus/alerts.yml'),
      JSON.stringify({ groups: [{ name: 'dashboard', rules }] }),
    ];
    for (const [index, file] of files.entries()) writeFileSync(file, texts[index] ?? '');
    const { status, stderr } = spawnSync('promtool', ['check', 'rules', ...files], { encoding: 'utf8' });
    assert.equal(`${status} ${stderr}`, '0 ');
  });
});
