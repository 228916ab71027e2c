// One sync run of a device: its context, and the outcomes of a request to its provider.

import type { Services } from '../../../../platform/services.ts';
import type { CloudProvider, ProviderFailure, ProviderRequest, Resource } from '../../../../providers/contract.ts';
import type { ProviderCallServices } from '../../provider-accounts/index.ts';
import { type OpenAccount, openAccount, type ProviderReply, requestProvider } from '../../provider-accounts/index.ts';
import type { ProviderApp } from '../../provider-apps/index.ts';
import type { RunReport } from '../run-report.ts';
import type { SyncedDevice, SyncUrgency } from '../sync-task.ts';

export type SyncRun = {
  readonly services: ProviderCallServices &
    Pick<Services, 'jobs' | 'log' | 'secrets' | 'settings' | 'threads' | 'userMutex'>;
  readonly app: ProviderApp;
  readonly device: SyncedDevice;
  /** The user's time zone. */
  readonly zone: string | null;
  /** The account keeps routes and laps of workouts. */
  readonly keepsRoutes: boolean;
  readonly report: RunReport;
  /** Shared by requests that follow each other within seconds; reset when the provider rejects the token. */
  readonly opened?: { account: OpenAccount | null };
};

/** For providers that report local times without an offset. */
export function zoneOf({ zone }: Pick<SyncRun, 'zone'>): string {
  return zone ?? 'UTC';
}

/** The user did not share the resource when these tokens were issued; newer ones may open it. */
export type Forbidden = { readonly resource: string; readonly tokenVersion: number };

/** Why a task is not done. */
export type SyncFailure =
  /**
   * No budget left, or another process is refreshing the token. `onlyFrom`: applies only to tasks of this urgency and less urgent
   * ones.
   */
  | {
      readonly syncFailure: 'wait';
      readonly until: Date | null;
      readonly onlyFrom?: SyncUrgency;
      /** The provider answered with a rate limit. */
      readonly isRateLimited?: true;
    }
  | { readonly syncFailure: 'unavailable'; readonly status?: number | null }
  /** Rejected although the token is fresh. */
  | { readonly syncFailure: 'unauthorized'; readonly tokenVersion: number }
  | ({ readonly syncFailure: 'forbidden' } & Forbidden)
  | { readonly syncFailure: 'wrong'; readonly reason: string; readonly status?: number | null }
  /** Permanent: the user has to connect again. */
  | { readonly syncFailure: 'refused'; readonly tokenVersion: number }
  | { readonly syncFailure: 'gone' };

/** Less urgent tasks leave a part of every budget to more urgent ones: webhooks, then polls, then backfills. */
const SHARES: Readonly<Record<SyncUrgency, number>> = { 0: 1, 1: 0.9, 2: 0.7 };

type ReplyRules = Partial<Pick<Resource, 'readFailure' | 'isEmpty'>>;
/** As connectors see it. */
export type SyncAccount = OpenAccount & { readonly keepsRoutes: boolean };
type ProviderQuery = {
  readonly request: (account: SyncAccount) => ProviderRequest;
  readonly urgency: SyncUrgency;
  readonly replyRules: ReplyRules;
};
type ProviderResult = { readonly reply: ProviderReply; readonly account: SyncAccount };

/** Sends a request of the user with a valid token. A rejected token is refreshed once. */
export async function sendRequest(
  syncRun: SyncRun,
  resource: string,
  providerQuery: ProviderQuery,
): Promise<ProviderResult | SyncFailure> {
  const first = await sendOnce(syncRun, providerQuery, null);
  if (!('failure' in first)) return first;
  const second =
    first.failure === 'unauthorized' ? await sendOnce(syncRun, providerQuery, first.account.tokenVersion) : first;
  return 'failure' in second ? toSyncFailure(second, resource) : second;
}

type Failed = { readonly failure: ProviderFailure; readonly status: number | null; readonly account: OpenAccount };

async function sendOnce(
  syncRun: SyncRun,
  { request, urgency, replyRules }: ProviderQuery,
  refusedVersion: number | null,
): Promise<ProviderResult | SyncFailure | Failed> {
  const { services, app, opened } = syncRun;
  const known = refusedVersion === null ? opened?.account : null;
  const account = known ?? (await openForRun(syncRun, refusedVersion));
  if (isSyncFailure(account)) return account;
  if (opened !== undefined) opened.account = account;
  const requested = await requestProvider(services, app, {
    request: request({ ...account, keepsRoutes: syncRun.keepsRoutes }),
    person: account,
    share: SHARES[urgency],
    readFailure: replyRules.readFailure ?? null,
    ...(replyRules.isEmpty && { isGood: replyRules.isEmpty }),
  });
  if ('waitUntil' in requested)
    return {
      syncFailure: 'wait',
      until: requested.waitUntil,
      ...(requested.isShare ? { onlyFrom: urgency } : { isRateLimited: true as const }),
    };
  if ('failure' in requested) return { ...requested, account };
  return { reply: requested.reply, account: { ...account, keepsRoutes: syncRun.keepsRoutes } };
}

/** `refusedVersion`: a token version that must not be used any more. */
export async function openForRun(
  { services, app, device }: Pick<SyncRun, 'services' | 'app' | 'device'>,
  refusedVersion: number | null,
): Promise<OpenAccount | SyncFailure> {
  const opened = await openAccount(services, app, device, refusedVersion);
  if ('account' in opened) return opened.account;
  if ('gone' in opened) return { syncFailure: 'gone' };
  if ('refused' in opened) return { syncFailure: 'refused', tokenVersion: opened.tokenVersion };
  return 'waitUntil' in opened ? { syncFailure: 'wait', until: opened.waitUntil } : { syncFailure: 'unavailable' };
}

function toSyncFailure({ failure, status, account: { tokenVersion } }: Failed, resource: string): SyncFailure {
  switch (failure) {
    case 'unauthorized':
      return { syncFailure: 'unauthorized', tokenVersion };
    case 'forbidden':
      return { syncFailure: 'forbidden', resource, tokenVersion };
    case 'bad_request':
      return { syncFailure: 'wrong', reason: `status ${status}`, status };
    default:
      return { syncFailure: 'unavailable', status };
  }
}

export function isSyncFailure(result: object): result is SyncFailure {
  return 'syncFailure' in result;
}

export function findResource({ resources }: CloudProvider, name: string): Resource | null {
  return resources.find((resource) => resource.name === name) ?? null;
}
