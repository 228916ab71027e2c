// Fetches one page of a resource with all its follow-up requests. Nothing is stored here: after a kill it is fetched again.
import type { FollowUp, ListedRecord, ProviderRequest, Resource } from '../../../../providers/contract.ts';
import { isEnabled, isShared, partsOf } from '../plan/plan-resources.ts';
import type { SyncUrgency } from '../sync-task.ts';
import type { PagePart } from './map-page.ts';
import { isOverloaded, readFile } from './read-file.ts';
import {
  type Forbidden,
  findResource,
  isSyncFailure,
  type SyncAccount,
  type SyncFailure,
  type SyncRun,
  sendRequest,
} from './sync-run.ts';

export type FetchedPage = {
  readonly parts: readonly PagePart[];
  readonly nextCursor: string | null;
  /** Follow-ups that the provider has just rejected because the user does not share them. */
  readonly forbidden: readonly Forbidden[];
  /** The page or its follow-ups without data because the user does not share them or their part is disabled. */
  readonly unshared: readonly string[];
  /** The page or its follow-ups for which the provider answered that there is no data. */
  readonly missing: readonly string[];
  /** Records that the page names, to be fetched one by one. */
  readonly listed: readonly ListedRecord[];
};

/** Twice the largest page of Concept2, with a request per result. All of them are sent before anything is committed. */
const MAX_FOLLOW_UPS = 500;

const NOTHING: FetchedPage = { parts: [], nextCursor: null, forbidden: [], unshared: [], missing: [], listed: [] };

export async function fetchPage(
  syncRun: SyncRun,
  resource: Resource,
  request: (account: SyncAccount) => ProviderRequest,
  urgency: SyncUrgency,
  cursor: string | null = null,
): Promise<FetchedPage | SyncFailure> {
  // The operator may have disabled the part since the task was planned. That does not mean that the records are gone.
  if (!isEnabled(resource, partsOf(syncRun.services.settings, syncRun.app.provider.id)))
    return { ...NOTHING, unshared: [resource.name] };
  const result = await sendRequest(syncRun, resource.name, { request, urgency, replyRules: resource });
  if (isSyncFailure(result)) return result;
  const { reply, account } = result;
  if (resource.isEmpty(reply)) return { ...NOTHING, missing: [resource.name] };
  const page: PagePart = { resource: resource.name, bytes: reply.bytes, body: reply.body, followUp: null };
  const parts = [page];
  const forbidden: Forbidden[] = [];
  const unshared: string[] = [];
  const missing: string[] = [];
  const followUps = resource.followUps?.(reply.body, account) ?? [];
  if (followUps.length > MAX_FOLLOW_UPS)
    return { syncFailure: 'wrong', reason: `a page needs more than ${MAX_FOLLOW_UPS} further requests` };
  for (const [index, followUp] of followUps.entries()) {
    const { resource: name, calledBy } = followUp;
    const fetched = await follow(withSkipped(syncRun, forbidden), account, followUp, urgency);
    if (isSyncFailure(fetched) && fetched.syncFailure !== 'forbidden') return fetched;
    if (isSyncFailure(fetched)) forbidden.push({ resource: name, tokenVersion: fetched.tokenVersion });
    const followed: Followed = isSyncFailure(fetched) ? { kind: 'unshared' } : fetched;
    if (followed.kind === 'unshared') unshared.push(name);
    if (followed.kind === 'missing' && !isOptional(syncRun, name)) missing.push(name);
    if (followed.kind === 'data') parts.push({ ...followed.response, resource: name, followUp: index });
    else if (calledBy !== undefined) parts.push({ bytes: null, body: null, resource: name, followUp: index });
  }
  const listed = resource.listRecords?.(reply.body) ?? [];
  return { parts, nextCursor: resource.nextCursor(reply.body, cursor), forbidden, unshared, missing, listed };
}

/** The same run, which does not request these resources again. */
export function withSkipped(syncRun: SyncRun, forbidden: readonly Forbidden[]): SyncRun {
  const { device } = syncRun;
  const skippedResources = [...device.skippedResources, ...forbidden.map(({ resource }) => resource)];
  return { ...syncRun, device: { ...device, skippedResources } };
}

function isOptional({ app }: SyncRun, name: string): boolean {
  return findResource(app.provider, name)?.isOptional === true;
}

/** The threads are busy with the files of this account. */
const OVERLOADED_MS = 5_000;

/** `unshared`: by the user, or its part is disabled. `missing`: the provider answered that there is no data. */
type Followed =
  | { readonly kind: 'unshared' | 'missing' }
  | { readonly kind: 'data'; readonly response: Pick<PagePart, 'bytes' | 'body' | 'isFile'> };

async function follow(
  syncRun: SyncRun,
  account: SyncAccount,
  { resource: name, request }: FollowUp,
  urgency: SyncUrgency,
): Promise<Followed | SyncFailure> {
  const resource = findResource(syncRun.app.provider, name);
  if (resource === null) return { syncFailure: 'wrong', reason: `unknown resource ${name}` };
  const { skippedResources } = syncRun.device;
  const parts = partsOf(syncRun.services.settings, syncRun.app.provider.id);
  if (!isShared(resource, { scopes: account.scopes, skippedResources, parts })) return { kind: 'unshared' };
  const result = await sendRequest(syncRun, name, { request: () => request, urgency, replyRules: resource });
  if (isSyncFailure(result)) return result;
  const { bytes, body } = result.reply;
  if (resource.isEmpty(result.reply)) return { kind: 'missing' };
  if (request.accepts !== 'file') return { kind: 'data', response: { bytes, body } };
  try {
    const file = await readFile(syncRun.services, syncRun.device.tenant.accountId, bytes);
    return { kind: 'data', response: { bytes, body: file, isFile: true } };
  } catch (error) {
    if (!isOverloaded(error)) throw error;
    return { syncFailure: 'wait', until: new Date(syncRun.services.clock.now().getTime() + OVERLOADED_MS) };
  }
}
