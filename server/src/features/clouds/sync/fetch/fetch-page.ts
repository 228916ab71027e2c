// One page of a resource with all that follows it up. Nothing is stored here: killed in the middle it is fetched again.
import type { FollowUp, ProviderRequest, Resource } from '../../../../providers/contract.ts';
import type { OpenAccount } from '../../provider-accounts/index.ts';
import type { Urgency } from '../errand.ts';
import { isShared } from '../plan/plan-resources.ts';
import type { PagePart } from './map-page.ts';
import { ask, findResource, isTrouble, type SyncTurn, type Trouble } from './sync-turn.ts';

export type FetchedPage = {
  readonly parts: readonly PagePart[];
  readonly nextCursor: string | null;
  /** Follow-ups that the person does not share, as has just turned out. */
  readonly forbidden: readonly string[];
  /** Follow-ups that were not asked for, or in vain, as the person does not share them. */
  readonly unshared: readonly string[];
  /** The page or follow-ups of it: instead of an answer there was only that there is none. */
  readonly missing: readonly string[];
};

export async function fetchPage(
  turn: SyncTurn,
  resource: Resource,
  request: (account: OpenAccount) => ProviderRequest,
  urgency: Urgency,
): Promise<FetchedPage | Trouble> {
  const answered = await ask(turn, resource.name, { request, urgency, judging: resource });
  if (isTrouble(answered)) return answered;
  const { reply, account } = answered;
  if (resource.isEmpty(reply))
    return { parts: [], nextCursor: null, forbidden: [], unshared: [], missing: [resource.name] };
  const page: PagePart = { resource: resource.name, bytes: reply.bytes, body: reply.body, followUp: null };
  const parts = [page];
  const forbidden: string[] = [];
  const unshared: string[] = [];
  const missing: string[] = [];
  for (const [index, followUp] of (resource.followUps?.(reply.body, account) ?? []).entries()) {
    const { resource: name, calledBy } = followUp;
    const fetched = await follow({ ...turn, leftOut: forbidden }, account, followUp, urgency);
    if (isTrouble(fetched) && fetched.trouble !== 'forbidden') return fetched;
    if (isTrouble(fetched)) forbidden.push(name);
    const answer = isTrouble(fetched) ? UNSHARED : fetched;
    if (answer === UNSHARED) unshared.push(name);
    if (answer === MISSING) missing.push(name);
    if (answer.bytes !== null || calledBy !== undefined) parts.push({ ...answer, resource: name, followUp: index });
  }
  return { parts, nextCursor: resource.nextCursor(reply.body), forbidden, unshared, missing };
}

type Answer = Pick<PagePart, 'bytes' | 'body'>;
const UNSHARED: Answer = { bytes: null, body: null };
const MISSING: Answer = { bytes: null, body: null };

async function follow(
  turn: SyncTurn & { readonly leftOut: readonly string[] },
  account: OpenAccount,
  { resource: name, request }: FollowUp,
  urgency: Urgency,
): Promise<Answer | Trouble> {
  const resource = findResource(turn.app.provider, name);
  if (resource === null) return { trouble: 'wrong', reason: `no resource ${name}` };
  const leftOut = [...turn.device.leftOut, ...turn.leftOut];
  if (!isShared(resource, { scopes: account.scopes, leftOut })) return UNSHARED;
  const answered = await ask(turn, name, { request: () => request, urgency, judging: resource });
  if (isTrouble(answered)) return answered;
  const { bytes, body } = answered.reply;
  return resource.isEmpty(answered.reply) ? MISSING : { bytes, body };
}
