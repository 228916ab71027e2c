// The way in of every read of a person's data: the user, by whatever credential the route lets in.
import type { Tenant } from '../../../domain/tenancy.ts';
import type { Services } from '../../../platform/services.ts';
import { getUserHandleOrThrow, type UserHandle } from '../../tenancy/user-core/index.ts';

export type ReadContext = {
  readonly services: Services;
  /** `opened`: a person who reads their own data, whoever may see it besides. No credential of the API has it. */
  readonly caller: { readonly tenant: Tenant; readonly opened?: UserHandle };
};

export async function openForRead({ services, caller }: ReadContext, userId: string): Promise<UserHandle> {
  return caller.opened ?? getUserHandleOrThrow(services.db, caller.tenant, userId);
}
