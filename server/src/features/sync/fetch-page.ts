// One page of a resource with all that follows it up. Nothing is stored here: killed in the middle it is fetched again.
import type { FollowUp, ProviderRequest, Resource } from '../../providers/contract.ts';
import type { OpenAccount } from '../provider-accounts/index.ts';
import type { Urgency } from './errand.ts';
import type { PagePart } from './map-page.ts';
import { isShared } from './plan-resources.ts';
import { ask, findResource, isTrouble, type SyncTurn, type Trouble } from './sync-turn.ts';

export type FetchedPage = {
  readonly parts: readonly PagePart[];
  readonly nextCursor: string | null;
  /** Follow-ups that the person does not share. */
  readonly forbidden: readonly string[];
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
  if (resource.isEmpty(reply)) return { parts: [], nextCursor: null, forbidden: [] };
  const page: PagePart = { resource: resource.name, bytes: reply.bytes, body: reply.body, followUp: null };
  const parts = [page];
  const forbidden: string[] = [];
  for (const [index, followUp] of (resource.followUps?.(reply.body, account) ?? []).entries()) {
    const fetched = await follow({ ...turn, leftOut: forbidden }, account, followUp, urgency);
    if (isTrouble(fetched) && fetched.trouble !== 'forbidden') return fetched;
    if (isTrouble(fetched)) forbidden.push(followUp.resource);
    const part = isTrouble(fetched) ? NO_ANSWER : fetched;
    if (part !== NO_ANSWER || followUp.calledBy !== undefined)
      parts.push({ ...part, resource: followUp.resource, followUp: index });
  }
  return { parts, nextCursor: resource.nextCursor(reply.body), forbidden };
}

const NO_ANSWER: Pick<PagePart, 'bytes' | 'body'> = { bytes: null, body: null };

async function follow(
  turn: SyncTurn & { readonly leftOut: readonly string[] },
  account: OpenAccount,
  { resource: name, request }: FollowUp,
  urgency: Urgency,
): Promise<typeof NO_ANSWER | Trouble> {
  const resource = findResource(turn.app.provider, name);
  if (resource === null) return { trouble: 'wrong', reason: `no resource ${name}` };
  const leftOut = [...turn.device.leftOut, ...turn.leftOut];
  if (!isShared(resource, { scopes: account.scopes, leftOut })) return NO_ANSWER;
  const answered = await ask(turn, name, { request: () => request, urgency, judging: resource });
  if (isTrouble(answered)) return answered;
  const { bytes, body } = answered.reply;
  return resource.isEmpty(answered.reply) ? NO_ANSWER : { bytes, body };
}
