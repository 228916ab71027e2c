// Decompresses, parses and checks the body of an upload and prepares it for ingest. This takes up to a second, so large
// bodies are read in a worker thread (read-in-thread.ts).
import { hash } from 'node:crypto';
import { type PackedBody, parseJsonBytes, unpackBody } from '../../../platform/http/packed-body.ts';
import { pack } from '../../../platform/zstd.ts';
import { type PreparedBatch, prepareBatch } from '../../pipeline/ingest/index.ts';
import { hasSentRoutes, withoutRoutes } from './drop-routes.ts';
import { type ParsedUpload, parseUpload, type UploadContext, type UploadResult } from './parse-upload.ts';

export type BodyContext = UploadContext & { readonly isRawKept: boolean };

export type ReadUpload = Omit<UploadResult, 'upload'> & {
  readonly upload: Pick<ParsedUpload, 'uploadId' | 'source' | 'timezone' | 'duplicates' | 'replaced'>;
  readonly parts: Iterable<PreparedBatch>;
  /** The hash of the uncompressed JSON, because a retry may use another compression. */
  readonly bodyHash: Uint8Array;
  /** For the raw layer; null if raw payloads are not kept. */
  readonly raw: Uint8Array | null;
  /** Instead of `raw` if the account does not keep routes. Null: the upload has none. */
  readonly rawWithoutRoutes: Uint8Array | null;
};

export async function readBody(body: PackedBody, context: BodyContext): Promise<ReadUpload> {
  const bytes = await unpackBody(body);
  const json = parseJsonBytes(bytes);
  const { upload, ...result } = parseUpload(json, context);
  const hasRoutes = context.isRawKept && hasSentRoutes(json);
  const { uploadId, source, timezone, duplicates, replaced, ...batch } = upload;
  return {
    ...result,
    upload: { uploadId, source, timezone, duplicates, replaced },
    parts: prepareBatch(batch),
    bodyHash: hash('sha256', bytes, 'buffer'),
    raw: context.isRawKept ? await pack(bytes) : null,
    rawWithoutRoutes: hasRoutes ? await pack(Buffer.from(JSON.stringify(withoutRoutes(json)))) : null,
  };
}
