export { foldUsageJob } from './jobs.ts';
export { removeUsageOf } from './removal-store.ts';
export { countRequestsByKey, readUsage, readUsageSums, type UsageSum } from './store.ts';
export type { UsageKind } from './usage-count.ts';
export { createUsage, type Usage } from './usage-counters.ts';
