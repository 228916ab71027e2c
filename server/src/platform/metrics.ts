// Prometheus metrics. Labels are route patterns and job names, never IDs, so that the number of series stays small. Help texts
// say whether a value is of this process or of the whole service; docs/observability.md explains how to add them up.
import { AggregatorRegistry, Counter, collectDefaultMetrics, Gauge, Registry } from 'prom-client';
import { type JobMetrics, registerJobMetrics } from './job-metrics.ts';
import { type MailMetrics, registerMailMetrics } from './mail/mail-metrics.ts';
import { type PoolMetrics, registerPoolMetrics } from './pool-metrics.ts';
import { type ObserveRequest, registerRequestTimes } from './request-times.ts';
import { registerTraceMetrics, type TraceMetrics } from './tracing/trace-metrics.ts';

/** The metrics of one process, as the others of its group send them. */
export type MetricValues = readonly object[];

/** What runs: constant for the life of the process. */
export type Build = { readonly version: string; readonly schema: number };

type PlatformMetrics = JobMetrics &
  MailMetrics &
  PoolMetrics &
  TraceMetrics & {
    readonly observeRequest: ObserveRequest;
    countRateLimited(route: string): void;
    setDatabaseUp(isUp: boolean): void;
    /** Of all processes of the group, if there are several. */
    render(): Promise<string>;
    /** Of this process. */
    readValues(): Promise<MetricValues>;
    /** Name, type, labels and help of each metric of our own, in alphabetical order. */
    describe(): MetricDescription[];
  };

/** An interface, because src/services.ts adds the metrics of the features. */
export interface Metrics extends PlatformMetrics {}

export type MetricDescription = {
  readonly name: string;
  readonly type: string;
  readonly help: string;
  readonly labelNames: readonly string[];
};

type Added = Omit<Metrics, keyof PlatformMetrics>;

/** Gauges that the library names like counters. `nodejs_active_handles` and its siblings have the same numbers by type. */
const MISNAMED = ['nodejs_active_handles_total', 'nodejs_active_requests_total', 'nodejs_active_resources_total'];

/** The supervisor of a group counts; a process that is alone always reports 0. */
export const RESTARTS = {
  name: 'tributary_process_restarts_total',
  help: 'Processes of serve --processes that ended unexpectedly and were restarted (this process)',
};

/** `renderGroup` is null if this process is alone, and returns null if the others cannot be asked. */
export function createMetrics(
  build: Build,
  registerFeatures: (registry: Registry) => Added,
  renderGroup: (() => Promise<string | null>) | null,
): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  for (const name of MISNAMED) registry.removeSingleMetric(name);
  showLargestLag(registry);
  registerBuild(registry, build);
  return {
    ...registerJobMetrics(registry),
    ...registerMailMetrics(registry),
    ...registerPoolMetrics(registry),
    ...registerTraceMetrics(registry),
    ...registerFeatures(registry),
    ...registerOwn(registry),
    observeRequest: registerRequestTimes(registry),
    render: async () => (await renderGroup?.()) ?? registry.metrics(),
    readValues: () => registry.getMetricsAsJSON(),
    describe: () => describeOwn(registry),
  };
}

/** A mean over the processes of a group would hide the one that is blocked. */
function showLargestLag(registry: Registry): void {
  for (const metric of registry.getMetricsAsArray()) if (metric.aggregator === 'average') metric.aggregator = 'max';
}

function registerBuild(registry: Registry, { version, schema }: Build): void {
  new Gauge({
    name: 'tributary_build_info',
    help: 'Always 1; the labels say which version runs, on which Node, and how many migrations it has (this process)',
    labelNames: ['version', 'node_version', 'schema'],
    registers: [registry],
    aggregator: 'first',
  }).set({ version, node_version: process.version, schema: String(schema) }, 1);
}

function registerOwn(registry: Registry): Pick<Metrics, 'countRateLimited' | 'setDatabaseUp'> {
  const registers = [registry];
  const databaseUp = new Gauge({
    name: 'tributary_database_up',
    help: '1 if the database is reachable, otherwise 0 (this process)',
    registers,
    aggregator: 'min',
  });
  const rateLimited = new Counter({
    name: 'tributary_http_rate_limited_total',
    help: 'Requests rejected with 429, by route (this process)',
    labelNames: ['route'],
    registers,
  });
  new Counter({ ...RESTARTS, registers });
  return {
    countRateLimited: (route) => rateLimited.labels(route).inc(),
    setDatabaseUp: (isUp) => databaseUp.set(isUp ? 1 : 0),
  };
}

function describeOwn(registry: Registry): MetricDescription[] {
  // The declarations of the library have none of these fields.
  const all = registry.getMetricsAsArray() as unknown as MetricDescription[];
  return all
    .map(({ name, help, type, labelNames }) => ({ name, help, type, labelNames }))
    .filter(({ name }) => name.startsWith('tributary_'))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** Counters and histograms add up; each gauge names how its values are merged. */
export function mergeMetrics(processes: readonly MetricValues[]): Promise<string> {
  return AggregatorRegistry.aggregate([...processes]).metrics();
}

/** Counters and histograms only: gauges of processes that have ended say nothing. */
export async function sumCounters(processes: readonly MetricValues[]): Promise<MetricValues> {
  const counters = processes.map((values) => values.filter((metric) => !('type' in metric && metric.type === 'gauge')));
  return AggregatorRegistry.aggregate(counters).getMetricsAsJSON();
}
