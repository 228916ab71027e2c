// Who makes a change, for the audit log.
import type { AccountCaller } from '../../../platform/http/caller.ts';
import type { RequestContext } from '../../../platform/http/route.ts';
import { CLI_USER_AGENT } from '../../../platform/operator-socket.ts';

export type Actor = {
  readonly kind: 'member' | 'api_key' | 'operator' | 'cli' | 'first_start' | 'service';
  /** Of the member or the API key. */
  readonly id: string | null;
  /** Of the member; null for others. */
  readonly name: string | null;
  readonly via: 'dashboard' | 'api' | 'operator' | 'cli' | 'service';
  readonly requestId: string | null;
};

export const FIRST_START: Actor = { kind: 'first_start', id: null, name: null, via: 'service', requestId: null };
/** A command that works on the database itself. */
export const CLI: Actor = { kind: 'cli', id: null, name: null, via: 'cli', requestId: null };
export const SERVICE: Actor = { kind: 'service', id: null, name: null, via: 'service', requestId: null };

/** A caller of the public API or the dashboard. */
export function actorOf({ caller, requestId }: { caller: AccountCaller; requestId: string }): Actor {
  if (caller.kind === 'api_key') return { kind: 'api_key', id: caller.keyId, name: null, via: 'api', requestId };
  return memberActor({ id: caller.memberId, name: caller.memberName }, requestId);
}

export function memberActor(member: { readonly id: string; readonly name: string }, requestId: string): Actor {
  return { kind: 'member', id: member.id, name: member.name, via: 'dashboard', requestId };
}

/** Distinguishes the CLI, which is the intended client of the operator API, from other programs of the operator. */
export function operatorActor({ userAgent, requestId }: Pick<RequestContext, 'requestId' | 'userAgent'>): Actor {
  const kind = userAgent === CLI_USER_AGENT ? 'cli' : 'operator';
  return { kind, id: null, name: null, via: kind, requestId };
}

/** Shown as the creator of keys and links. */
export function nameOfActor({ kind, name }: Actor): string {
  return name ?? kind;
}
