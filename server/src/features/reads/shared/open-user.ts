// Opens the user for a read, with any credential that the route accepts.
import type { Tenant } from '../../../domain/tenancy.ts';
import type { Services } from '../../../platform/services.ts';
import { getUserHandleOrThrow, type UserHandle } from '../../tenancy/user-core/index.ts';

export type ReadContext = {
  readonly services: Pick<Services, 'clock' | 'cursors' | 'db'>;
  /** `opened`: users who read their own data in the privacy portal. API credentials never set it. */
  readonly caller: { readonly tenant: Tenant; readonly opened?: UserHandle };
};

export async function openForRead({ services, caller }: ReadContext, userId: string): Promise<UserHandle> {
  return caller.opened ?? getUserHandleOrThrow(services.db, caller.tenant, userId);
}
