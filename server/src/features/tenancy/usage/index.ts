export { foldUsageJob } from './jobs.ts';
export { countRequestsByKey, readUsage, readUsageSums, removeUsageOf, type UsageSum } from './store.ts';
export type { UsageKind } from './usage-count.ts';
export { createUsage, type Usage } from './usage-counters.ts';
