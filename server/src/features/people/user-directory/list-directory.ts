// Lists users with what people look for: devices, coverage, the scores of a week and what needs attention.
import type { ScoreType } from '../../../domain/scores/index.ts';
import type { DeviceNumber, Tenant } from '../../../domain/tenancy.ts';
import { addDays, type LocalDate, localDateAt } from '../../../domain/time/calendar.ts';
import { DAY_MS } from '../../../domain/time/durations.ts';
import type { Queryable } from '../../../platform/db/database.ts';
import type { AccountCaller } from '../../../platform/http/caller.ts';
import type { Services } from '../../../platform/services.ts';
import { readScoresOfUsers, type ScoreValues } from '../../pipeline/scoring/index.ts';
import { type ListedDevice, listDevicesOfUsers, listUsersToReconnect } from '../../store/devices/index.ts';
import { listCoveredBlocks } from '../../store/samples/index.ts';
import { listSleepTimes } from '../../store/session-store/index.ts';
import { readEnvironmentUsage } from '../../tenancy/accounts/index.ts';
import { countUsersWithSettings, type ListedUser, type User } from '../../tenancy/user-core/index.ts';
import { COVERAGE_DAYS, COVERAGE_STEP_MS, type CoverageRange, coverageRangeAt, packCoverage } from './coverage.ts';
import { type DirectoryQuery, readDirectoryPage } from './read-page.ts';

export const SILENT_DAYS = 3;
export const LISTED_SCORES = ['recovery_score', 'sleep_score', 'strain_score'] as const satisfies readonly ScoreType[];
/** The page shows "99+" beyond it. */
const MAX_COUNTED = 100;

type Attention = 'reconnect' | 'no_data';
export type DirectoryEntry = {
  readonly user: User;
  readonly devices: readonly ListedDevice[];
  readonly coverage: ReadonlyMap<DeviceNumber, string>;
  /** One value per day of the week that ends today, in the user's time zone. */
  readonly scores: Readonly<Record<(typeof LISTED_SCORES)[number], readonly (number | null)[]>>;
  readonly overrides: number;
  readonly attention: readonly Attention[];
};
export type Directory = {
  readonly entries: readonly DirectoryEntry[];
  readonly coverage: CoverageRange;
  readonly total: number;
  readonly counts: { readonly attention: number; readonly overrides: number };
  readonly hasMore: boolean;
  readonly nextCursor: string | null;
};

type Context = { readonly services: Pick<Services, 'clock' | 'cursors' | 'db'>; readonly caller: AccountCaller };

export async function listDirectory(context: Context, query: DirectoryQuery): Promise<Directory> {
  const { services, caller } = context;
  const { db } = services;
  const nowMs = services.clock.now().getTime();
  const silentSince = new Date(nowMs - SILENT_DAYS * DAY_MS);
  const [page, usage, counts] = await Promise.all([
    readDirectoryPage(context, query, silentSince),
    readEnvironmentUsage(db, caller.tenant),
    readCounts(db, caller.tenant),
  ]);
  const coverage = coverageRangeAt(nowMs);
  const describe = await openDescriptions(db, page.users, coverage, nowMs);
  return {
    entries: page.users.map((listed) => describe(listed, silentSince)),
    coverage,
    total: usage.userCount,
    counts,
    hasMore: page.hasMore,
    nextCursor: page.nextCursor,
  };
}

async function readCounts(db: Queryable, tenant: Tenant): Promise<Directory['counts']> {
  const [toReconnect, overrides] = await Promise.all([
    listUsersToReconnect(db, tenant, { after: null, limit: MAX_COUNTED }),
    countUsersWithSettings(db, tenant, MAX_COUNTED),
  ]);
  return { attention: toReconnect.length, overrides };
}

/** Four queries for the whole page. */
async function openDescriptions(db: Queryable, users: readonly ListedUser[], range: CoverageRange, nowMs: number) {
  const handles = users.map(({ handle }) => handle);
  // Every zone is within a day of UTC.
  const [from, to] = [addDays(localDateAt(nowMs, null), -COVERAGE_DAYS), addDays(localDateAt(nowMs, null), 1)];
  const [devices, blocks, sleeps, scores] = await Promise.all([
    listDevicesOfUsers(db, handles),
    listCoveredBlocks(db, handles, range.fromMs, range.toMs),
    listSleepTimes(db, handles, range.fromMs - DAY_MS, range.toMs),
    readScoresOfUsers(db, handles, from, to),
  ]);
  const ofBlocks = blocks.map(({ userId, device, beginMs }) => {
    return { userId, device, startMs: beginMs, endMs: beginMs + COVERAGE_STEP_MS };
  });
  const coverage = packCoverage([...ofBlocks, ...sleeps], range);
  return ({ user, handle }: ListedUser, silentSince: Date): DirectoryEntry => {
    const ofUser = devices.get(user.id) ?? [];
    const { metrics, providersOff } = handle.consolidation;
    return {
      user,
      devices: ofUser,
      coverage: coverage.get(user.id) ?? new Map(),
      scores: collectWeek(scores.get(user.id), localDateAt(nowMs, user.timezone)),
      overrides: Object.keys(metrics).length + providersOff.length,
      attention: findAttention(user, ofUser, silentSince),
    };
  };
}

function findAttention(user: User, devices: readonly ListedDevice[], silentSince: Date): Attention[] {
  const isSilent = (user.lastSyncAt ?? user.createdAt) < silentSince;
  return [
    ...(devices.some(({ status }) => status === 'reauthorize') ? (['reconnect'] as const) : []),
    ...(isSilent ? (['no_data'] as const) : []),
  ];
}

function collectWeek(values: ReadonlyMap<LocalDate, ScoreValues> | undefined, today: LocalDate) {
  const dates = Array.from({ length: COVERAGE_DAYS }, (_, index) => addDays(today, index + 1 - COVERAGE_DAYS));
  const column = (type: ScoreType) => dates.map((date) => values?.get(date)?.[type] ?? null);
  return {
    recovery_score: column('recovery_score'),
    sleep_score: column('sleep_score'),
    strain_score: column('strain_score'),
  };
}
