// Generates docs/service-metrics.md: the Prometheus metrics of the service.
import type { MetricDescription } from '../src/platform/metrics.ts';
import { createServiceMetrics } from '../src/service-metrics.ts';
import { GENERATED_HEADER, table } from './generate-pages.ts';

const SCOPE = /\((this process|whole service)(?:; [^)]*)?\)$/;

export function writeServiceMetricsPage(): string {
  const all = createServiceMetrics({ version: '', schema: 0 }, null).describe();
  return [
    '# Service metrics',
    '',
    GENERATED_HEADER,
    '',
    '`GET /metrics` returns these metrics of the service, and those of the runtime under their usual names (`process_…`, `nodejs_…`).',
    '[Observability](observability.md) explains how to scrape and add them up.',
    '',
    '## Whole service',
    '',
    'Read from the database at most every 15 seconds (jobs and expiring keys: every second). Every process returns the same values, so use',
    '`max` over processes.',
    '',
    ...table(['Metric', 'Type', 'Labels', 'Meaning'], all.filter(isOfService).map(describe)),
    '',
    '## One process',
    '',
    'Counted by the process that you scrape, or by its whole group with [`serve --processes`](processes.md), so use `sum` over scraped ports.',
    '',
    ...table(['Metric', 'Type', 'Labels', 'Meaning'], all.filter((metric) => !isOfService(metric)).map(describe)),
    '',
  ].join('\n');
}

function isOfService({ help }: MetricDescription): boolean {
  return SCOPE.exec(help)?.[1] === 'whole service';
}

function describe({ name, type, help, labelNames }: MetricDescription): string[] {
  const labels = labelNames.filter((label) => label !== 'le').map((label) => `\`${label}\``);
  return [`\`${name}\``, type, labels.join(', '), help.replace(SCOPE, '').trim()];
}
