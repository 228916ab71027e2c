// Raw payloads exactly as they came, one at a time and each in slices: one alone can have 20 MB.
import { isUtf8 } from 'node:buffer';
import { StringDecoder } from 'node:string_decoder';
import { formatInstant } from '../../domain/calendar.ts';
import type { DeviceNumber } from '../../domain/tenancy.ts';
import type { Queryable } from '../../platform/db/database.ts';
import { unpack } from '../../platform/zstd.ts';
import { type RawPayload, readPayload } from '../raw-payloads/index.ts';
import type { UserHandle } from '../subjects/index.ts';
import { listPayloadPage } from './store.ts';
import type { Pieces } from './write-list.ts';

/** A multiple of three, so that slices of base64 join. */
const SLICE_BYTES = 3 * 32_768;

export async function* exportPayloads(
  db: Queryable,
  user: UserHandle,
  nameDevice: (device: DeviceNumber) => object,
): AsyncGenerator<Pieces> {
  for (let after: string | null = null; ; ) {
    const ids: string[] = await listPayloadPage(db, user, after);
    for (const id of ids) {
      const payload = await readPayload(db, user, id);
      if (payload !== null) yield writePayload(payload, nameDevice); // else its time was over
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
  const decoder = new StringDecoder(isText ? 'utf8' : 'base64');
  for (let from = 0; from < bytes.length; from += SLICE_BYTES)
    yield JSON.stringify(decoder.write(bytes.subarray(from, from + SLICE_BYTES))).slice(1, -1);
  yield '"}';
}
