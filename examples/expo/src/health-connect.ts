// Reads Health Connect through react-native-health-connect: the last 30 days first, then changes.
import {
  type Changes,
  type HealthConnectChanges,
  type HealthConnectRecord,
  mapHealthConnectChanges,
  mapHealthConnectRecords,
} from '@tributary/mobile';
import type { HealthPlatform } from './health-source.ts';

export type HealthConnect = {
  initialize(): Promise<boolean>;
  requestPermission(permissions: readonly { accessType: 'read'; recordType: string }[]): Promise<unknown>;
  readRecords(
    recordType: string,
    options: { timeRangeFilter: { operator: 'after'; startTime: string }; pageToken?: string },
  ): Promise<{ records: readonly HealthConnectRecord[]; pageToken?: string }>;
  getChanges(request: {
    changesToken?: string;
    recordTypes: readonly string[];
  }): Promise<HealthConnectChanges & { nextChangesToken: string; changesTokenExpired: boolean; hasMore: boolean }>;
};

const TYPES = ['Steps', 'HeartRate'];
const HISTORY_MS = 30 * 86_400_000; // an app may read no more without a further permission

export function openHealthConnect(health: HealthConnect): HealthPlatform {
  return {
    platform: 'android',
    askPermission: async () => {
      await health.initialize();
      await health.requestPermission(TYPES.map((recordType) => ({ accessType: 'read', recordType })));
    },
    sources: [
      {
        name: 'health-connect',
        read: (anchor) => (anchor === null ? readHistory(health) : readChanges(health, anchor)),
      },
    ],
  };
}

/** The token comes first, so that nothing recorded during the read is missed. */
async function readHistory(health: HealthConnect) {
  const { nextChangesToken } = await health.getChanges({ recordTypes: TYPES });
  const startTime = new Date(Date.now() - HISTORY_MS).toISOString();
  const changes: Changes[] = [];
  for (const type of TYPES) {
    let pageToken: string | undefined;
    do {
      const filter = { timeRangeFilter: { operator: 'after' as const, startTime } };
      const page = await health.readRecords(type, pageToken === undefined ? filter : { ...filter, pageToken });
      changes.push(mapHealthConnectRecords(type, page.records));
      pageToken = page.pageToken || undefined;
    } while (pageToken !== undefined);
  }
  return { changes, anchor: nextChangesToken, hasMore: false };
}

async function readChanges(health: HealthConnect, changesToken: string) {
  const page = await health.getChanges({ changesToken, recordTypes: TYPES });
  if (page.changesTokenExpired) return readHistory(health);
  return { changes: [mapHealthConnectChanges(page)], anchor: page.nextChangesToken, hasMore: page.hasMore };
}
