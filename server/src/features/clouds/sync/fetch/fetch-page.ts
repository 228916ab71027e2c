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
    const fetched = await follow({ ...syncRun, skippedResources: namesOf(forbidden) }, account, followUp, urgency);
    if (isSyncFailure(fetched) && fetched.syncFailure !== 'forbidden') return fetched;
    if (isSyncFailure(fetched)) forbidden.push({ resource: name, tokenVersion: fetched.tokenVersion });
    const answer = isSyncFailure(fetched) ? UNSHARED : fetched;
    if (answer === UNSHARED) unshared.push(name);
    if (answer === MISSING && !isOptional(syncRun, name)) missing.push(name);
    if (answer.bytes !== null || calledBy !== undefined) parts.push({ ...answer, resource: name, followUp: index });
  }
  const listed = resource.listRecords?.(reply.body) ?? [];
  return { parts, nextCursor: resource.nextCursor(reply.body, cursor), forbidden, unshared, missing, listed };
}

export function namesOf(forbidden: readonly Forbidden[]): string[] {
  return forbidden.map(({ resource }) => resource);
}

function isOptional({ app }: SyncRun, name: string): boolean {
  return findResource(app.provider, name)?.isOptional === true;
}

/** The threads are busy with the files of this account. */
const OVERLOADED_MS = 5_000;

type Answer = Pick<PagePart, 'bytes' | 'body' | 'isFile'>;
const UNSHARED: Answer = { bytes: null, body: null };
const MISSING: Answer = { bytes: null, body: null };

async function follow(
  syncRun: SyncRun & { readonly skippedResources: readonly string[] },
  account: SyncAccount,
  { resource: name, request }: FollowUp,
  urgency: SyncUrgency,
): Promise<Answer | SyncFailure> {
  const resource = findResource(syncRun.app.provider, name);
  if (resource === null) return { syncFailure: 'wrong', reason: `unknown resource ${name}` };
  const skippedResources = [...syncRun.device.skippedResources, ...syncRun.skippedResources];
  const parts = partsOf(syncRun.services.settings, syncRun.app.provider.id);
  if (!isShared(resource, { scopes: account.scopes, skippedResources, parts })) return UNSHARED;
  const result = await sendRequest(syncRun, name, { request: () => request, urgency, replyRules: resource });
  if (isSyncFailure(result)) return result;
  const { bytes, body } = result.reply;
  if (resource.isEmpty(result.reply)) return MISSING;
  if (request.accepts !== 'file') return { bytes, body };
  try {
    return { bytes, body: await readFile(syncRun.services, syncRun.device.tenant.accountId, bytes), isFile: true };
  } catch (error) {
    if (!isOverloaded(error)) throw error;
    return { syncFailure: 'wait', until: new Date(syncRun.services.clock.now().getTime() + OVERLOADED_MS) };
  }
}
