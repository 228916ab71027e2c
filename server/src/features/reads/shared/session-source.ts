// The device that recorded a session, in both forms.

import type { DeviceNumber } from '../../../domain/tenancy.ts';
import type { Queryable } from '../../../platform/db/database.ts';
import { nullable, uuid } from '../../../platform/http/schema.ts';
import { Type } from '../../../platform/json-schema.ts';
import { listSourceLabels, type SourceLabel } from '../../store/devices/index.ts';
import type { UserHandle } from '../../tenancy/user-core/index.ts';

/** The provider of values that the service computed; they have no device. */
export const COMPUTED_PROVIDER = 'tributary';

/** A session with the device that recorded it. */
export type Sourced<Stored> = Stored & { readonly source: SourceLabel };

/** Skips sessions whose device was deleted since they were read. */
export function withSources<Stored extends { readonly device: DeviceNumber }>(
  sessions: readonly Stored[],
  sources: ReadonlyMap<DeviceNumber, SourceLabel>,
): Sourced<Stored>[] {
  return sessions.flatMap((session) => {
    const source = sources.get(session.device);
    return source === undefined ? [] : [{ ...session, source }];
  });
}

export async function readSources(db: Queryable, user: UserHandle): Promise<Map<DeviceNumber, SourceLabel>> {
  return new Map((await listSourceLabels(db, user)).map((label) => [label.number, label]));
}

/** The device of one value. */
export const valueSource = Type.Object(
  {
    provider: Type.String({ description: '`tributary`: computed by the service' }),
    device_id: nullable(uuid('device')),
    original_value: Type.Number({
      description:
        "the device's value, never rounded; where only its sleeps or workouts count, their value or their part of the day's; for a total that was divided, the whole; for a bucket, the aggregate of the device's samples",
    }),
    original_unit: Type.String(),
  },
  { title: 'ValueSource' },
);

export const sourceForm1 = Type.Object(
  { provider: Type.String(), device_id: uuid('device') },
  { title: 'RecordSource' },
);

export function presentSourceForm1({ provider, id }: SourceLabel) {
  return { provider, device_id: id };
}

export const sourceDetail = Type.Object(
  {
    provider: Type.String(),
    device_id: uuid('device'),
    model: nullable(Type.String()),
    name: nullable(Type.String()),
  },
  { title: 'RecordSourceDetail' },
);

export function presentSourceDetail({ provider, id, model, name }: SourceLabel) {
  return { provider, device_id: id, model, name };
}
