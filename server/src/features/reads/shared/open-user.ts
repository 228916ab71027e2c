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
  const { db } = context.services;
  const open = async (tenant: Tenant) => ({ user: await getUserHandleOrThrow(db, tenant, userId) });
  return (await openForReadWith(context, open)).user;
}

/** `open` may read data of the user in the same statement. It is not called for a user that is opened. */
export async function openForReadWith<Opened extends { readonly user: UserHandle }>(
  { services, caller, requestId }: ReadContext,
  open: (tenant: Tenant) => Promise<Opened>,
): Promise<Opened | { readonly user: UserHandle }> {
  if ('opened' in caller && caller.opened !== undefined) return { user: caller.opened };
  const opened = await open(caller.tenant);
  if (isMember(caller)) await recordLook({ services, caller, requestId }, opened.user.userId);
  return opened;
}

function isMember(caller: ReadContext['caller']): caller is MemberCaller {
  return 'kind' in caller && caller.kind === 'member';
}
