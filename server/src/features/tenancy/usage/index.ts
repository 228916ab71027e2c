export { foldUsageJob } from './jobs.ts';
export { readUsage, type UsageBucket } from './store.ts';
export { createUsage, type Usage, type UsageKind } from './usage-counters.ts';
