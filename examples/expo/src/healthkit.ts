// Reads HealthKit through @kingstinct/react-native-healthkit.
import { type KingstinctResults, mapKingstinct } from '@tributary/mobile';
import type { HealthPlatform } from './health-source.ts';

export type HealthKit = {
  requestAuthorization(types: { toRead: readonly string[] }): Promise<boolean>;
  queryQuantitySamplesWithAnchor(
    type: string,
    options: { anchor?: string; limit: number },
  ): Promise<KingstinctResults & { newAnchor: string }>;
};

const TYPES = ['HKQuantityTypeIdentifierStepCount', 'HKQuantityTypeIdentifierHeartRate'];
const PAGE_SAMPLES = 1_000;

export function openHealthKit(healthKit: HealthKit): HealthPlatform {
  return {
    platform: 'ios',
    askPermission: async () => void (await healthKit.requestAuthorization({ toRead: TYPES })),
    sources: TYPES.map((type) => ({
      name: type,
      read: async (anchor) => {
        const options = { limit: PAGE_SAMPLES, ...(anchor === null ? {} : { anchor }) };
        const results = await healthKit.queryQuantitySamplesWithAnchor(type, options);
        const hasMore = (results.samples?.length ?? 0) >= PAGE_SAMPLES;
        return { changes: [mapKingstinct(results)], anchor: results.newAnchor, hasMore };
      },
    })),
  };
}
