// Counts published events by type, and updates by the source that caused them.
import type { Services } from '../../../platform/services.ts';
import { listOrigins } from '../../store/devices/index.ts';
import type { PublishedEvent } from './event.ts';

const ONE = { n: 1, bad: 0, ms: 0 };

export async function countEvents(
  { db, usage, log }: Pick<Services, 'db' | 'log' | 'usage'>,
  events: readonly PublishedEvent[],
): Promise<void> {
  for (const { tenant, type } of events) usage.count(tenant, 'event', type, ONE);
  const updates = events.flatMap(({ type, tenant, userId, deviceId }) =>
    type === 'data.updated' && deviceId !== null ? [{ tenant, userId, deviceId }] : [],
  );
  if (updates.length === 0) return;
  try {
    const origins = await listOrigins(db, updates);
    for (const { tenant, deviceId } of updates) usage.count(tenant, 'source', origins.get(deviceId) ?? 'other', ONE);
  } catch (error) {
    log.debug({ err: error }, 'the sources of updates were not counted'); // the events are published
  }
}
