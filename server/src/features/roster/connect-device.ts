// From the roster on to a first device: the providers a person can choose from, and the start of a connection.

import type { Services } from '../../platform/services.ts';
import { CLOUD_PROVIDERS } from '../../providers/registry.ts';
import type { UserHandle } from '../subjects/index.ts';

export type ConnectableProvider = { readonly id: string; readonly displayName: string };

export function listConnectable(): readonly ConnectableProvider[] {
  return CLOUD_PROVIDERS;
}

/** The page that the person goes on to; null: that provider cannot be connected here. */
export async function startConnection(
  _services: Services,
  _user: UserHandle,
  _provider: ConnectableProvider,
): Promise<string | null> {
  return null;
}
