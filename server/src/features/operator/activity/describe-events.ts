// Adds to events the user's reference, the device, and the state of the deliveries.
import type { Queryable } from '../../../platform/db/database.ts';
import type { EventBody, LatestEvent } from '../../notify/events/index.ts';
import { type DeliveryMark, listDeliveryMarks } from '../../notify/webhooks/index.ts';
import { listNames } from '../../store/devices/index.ts';
import { listReferenceIds } from '../../tenancy/user-core/index.ts';

export type DescribedEvent = {
  readonly position: number;
  readonly body: string;
  readonly event: EventBody;
  readonly referenceId: string | null;
  readonly device: { readonly provider: string; readonly deviceClass: string; readonly name: string | null } | null;
  readonly deliveries: readonly DeliveryMark[];
};

export async function describeEvents(db: Queryable, latest: readonly LatestEvent[]): Promise<DescribedEvent[]> {
  if (latest.length === 0) return [];
  const events = latest.map(({ position, body }) => ({ position, body, event: JSON.parse(body) as EventBody }));
  const userIds = [...new Set(events.map(({ event }) => event.user_id))];
  const devices = events.flatMap(({ event: { user_id: userId, device_id: deviceId } }) =>
    deviceId === null ? [] : [{ userId, deviceId }],
  );
  const [references, names, marks] = await Promise.all([
    listReferenceIds(db, userIds),
    listNames(db, devices),
    listDeliveryMarks(
      db,
      userIds,
      events.map(({ event }) => event.event_id),
    ),
  ]);
  const marksOf = Map.groupBy(marks, ({ eventId }) => eventId);
  return events.map((entry) => ({
    ...entry,
    referenceId: references.get(entry.event.user_id) ?? null,
    device: (entry.event.device_id !== null && names.get(entry.event.device_id)) || null,
    deliveries: marksOf.get(entry.event.event_id) ?? [],
  }));
}
