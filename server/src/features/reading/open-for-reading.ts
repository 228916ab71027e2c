// The way in of every read of a person's data: the user, by whatever credential the route lets in.
import type { Tenant } from '../../domain/tenancy.ts';
import type { Services } from '../../platform/services.ts';
import { getUserHandleOrThrow, type UserHandle } from '../subjects/index.ts';

export type ReadingContext = {
  readonly services: Services;
  readonly caller: { readonly tenant: Tenant };
};

export function openForReading({ services, caller }: ReadingContext, userId: string): Promise<UserHandle> {
  return getUserHandleOrThrow(services.db, caller.tenant, userId);
}
