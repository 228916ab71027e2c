// The state of a connection in words. Pure.

import type { IconName } from '../../shared/ui/icon.tsx';
import type { Tone } from '../../shared/ui/pill.tsx';
import { providerName } from '../../shared/user/devices.ts';
import type { Connection } from './queries.ts';
import { words } from './words.ts';

type StateLabel = { readonly tone: Tone; readonly text: string; readonly icon?: IconName };

export function describeState(connection: Connection): StateLabel {
  const { status, backoff, backfill, parked } = connection;
  if (status === 'reauthorize') return { tone: 'bad', text: words.states.reauthorize };
  if (status === 'failed') return { tone: 'bad', text: words.states.failed };
  if (status === 'expired') return { tone: 'warn', text: words.states.expired };
  if (status === 'pending') return { tone: 'accent', text: words.states.pending, icon: 'clock' };
  if (backoff.until !== null) return { tone: 'warn', text: words.states.waiting };
  if (backfill.state === 'waiting' || backfill.state === 'running')
    return { tone: 'accent', text: words.states.history, icon: 'clock' };
  if (parked.length > 0 || backfill.state === 'failed') return { tone: 'warn', text: words.states.partly };
  return { tone: 'good', text: words.states.active };
}

/** A person has to connect again, or for the first time. */
export function needsLink({ status, transport }: Pick<Connection, 'status' | 'transport'>): boolean {
  return transport === 'cloud' && status !== 'active';
}

const ORDER: readonly Tone[] = ['bad', 'warn', 'accent', 'good', 'plain'];

/** Those in need first, otherwise in the order of connection. */
export function sortConnections(connections: readonly Connection[]): Connection[] {
  const rank = (connection: Connection) => ORDER.indexOf(describeState(connection).tone);
  return connections.toSorted((a, b) => rank(a) - rank(b));
}

export function nameOf({ name, model, provider, provider_name }: Connection): string {
  return name ?? model ?? provider_name ?? providerName(provider);
}

/** Oura cloud · Oura Ring Gen3 */
export function originOf(connection: Connection): string {
  const { transport, provider, provider_name, model } = connection;
  const from = transport === 'sdk' ? words.viaPhone : words.viaCloud(provider_name ?? providerName(provider));
  return model === null || model === nameOf(connection) ? from : `${from} · ${model}`;
}
