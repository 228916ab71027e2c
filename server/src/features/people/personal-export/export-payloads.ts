// Exports raw payloads as received, one at a time and in slices, because one payload can have 20 MB.
import { isUtf8 } from 'node:buffer';
import type { DeviceNumber } from '../../../domain/tenancy.ts';
import { formatInstant } from '../../../domain/time/calendar.ts';
import type { Queryable } from '../../../platform/db/database.ts';
import { unpack } from '../../../platform/zstd.ts';
import type { Pieces } from '../../reads/exports/index.ts';
import { listPayloadPage, type RawPayload, readPayload } from '../../store/raw-payloads/index.ts';
import type { UserHandle } from '../../tenancy/user-core/index.ts';
import { encodeSlices } from './encode-slices.ts';

export async function* exportPayloads(
  db: Queryable,
  user: UserHandle,
  nameDevice: (device: DeviceNumber) => object,
): AsyncGenerator<Pieces> {
  for (let after: string | null = null; ; ) {
    const ids: string[] = await listPayloadPage(db, user, after);
    for (const id of ids) {
      const payload = await readPayload(db, user, id);
      if (payload !== null) yield writePayload(payload, nameDevice); // null if it expired since it was listed
    }
    const last = ids.at(-1);
    if (last === undefined) return;
    after = last;
  }
}

async function* writePayload(
  { id, device, kind, context, receivedAt, packed }: RawPayload,
  nameDevice: (device: DeviceNumber) => object,
): Pieces {
  const head = { id, ...nameDevice(device), kind, context, received_at: formatInstant(receivedAt) };
  const bytes = await unpack(packed);
  const isText = isUtf8(bytes);
  yield `${JSON.stringify(head).slice(0, -1)},"${isText ? 'payload' : 'payload_base64'}":"`;
  for (const slice of encodeSlices(bytes, isText ? 'utf8' : 'base64')) yield JSON.stringify(slice).slice(1, -1);
  yield '"}';
}
