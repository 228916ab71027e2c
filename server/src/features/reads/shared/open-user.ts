// Opens the user for a read, with any credential that the route accepts. What members of an account look at is audited.
import type { Tenant } from '../../../domain/tenancy.ts';
import type { MemberCaller } from '../../../platform/http/caller.ts';
import type { Services } from '../../../platform/services.ts';
import { recordLook } from '../../tenancy/accounts/index.ts';
import { getUserHandleOrThrow, type UserHandle } from '../../tenancy/user-core/index.ts';

export type ReadContext = {
  readonly services: Pick<Services, 'clock' | 'cursors' | 'db'>;
  /** `opened`: users who read their own data in the privacy portal. API credentials never set it. */
  readonly caller: MemberCaller | { readonly tenant: Tenant; readonly opened?: UserHandle };
  readonly requestId: string;
};

/** `revalidate`: answers 304 if the client has the version already. */
export type ConditionalContext = ReadContext & { revalidate(version: string): void };

export async function openForRead(context: ReadContext, userId: string): Promise<UserHandle> {
  const { services, caller, requestId } = context;
  if ('opened' in caller && caller.opened !== undefined) return caller.opened;
  const user = await getUserHandleOrThrow(services.db, caller.tenant, userId);
  if (isMember(caller)) await recordLook({ services, caller, requestId }, user.userId);
  return user;
}

function isMember(caller: ReadContext['caller']): caller is MemberCaller {
  return 'kind' in caller && caller.kind === 'member';
}
