export {
  type HealthConnectChanges,
  type HealthConnectRecord,
  mapHealthConnectChanges,
  mapHealthConnectRecords,
} from './adapters/health-connect.ts';
export { type KingstinctResults, mapKingstinct } from './adapters/healthkit.ts';
export { type HealthResult, mapReactNativeHealth } from './adapters/react-native-health.ts';
export type { TimeOptions } from './adapters/times.ts';
export { createMobileClient, type FlushResult, type MobileClient, type MobileOptions } from './client.ts';
export type { MobileEvent, StopReason } from './events.ts';
export type { Gzip } from './gzip.ts';
export type { Parked, ParkedItem } from './parked-items.ts';
export { QueueFullError } from './queue-full-error.ts';
export { memoryStorage, type Storage } from './storage.ts';
export type { Changes, Deletion, Group, Item, Source } from './upload.ts';
