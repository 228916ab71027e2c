// Maps a stored page again, for replays.
import type { Settings } from '../../../../platform/services.ts';
import { findProvider } from '../../../../providers/registry.ts';
import type { Batch } from '../../../pipeline/ingest/index.ts';
import type { RawPayload } from '../../../store/raw-payloads/index.ts';
import { mapParts, type PagePart, type RawPageContext, readParts } from '../fetch/map-page.ts';
import { type FileServices, readFile } from '../fetch/read-file.ts';
import { partsOf } from '../plan/plan-resources.ts';
import { makeBatch } from './make-batch.ts';

export async function mapProviderPage(
  services: FileServices & { readonly settings: Pick<Settings, 'unconfirmedParts'> },
  account: string,
  { context, receivedAt }: RawPayload,
  bytes: Buffer,
): Promise<Batch> {
  const { provider: id, parts: described, deletions, ...rest } = context as RawPageContext;
  const provider = findProvider(id);
  if (provider === null) throw new Error('unknown provider');
  const parts: PagePart[] = [];
  for (const part of readParts(described, bytes))
    parts.push(part.isFile && part.bytes ? { ...part, body: await readFile(services, account, part.bytes) } : part);
  return makeBatch(mapParts(provider, parts, rest, partsOf(services.settings, id)), { now: receivedAt, deletions })
    .batch;
}
