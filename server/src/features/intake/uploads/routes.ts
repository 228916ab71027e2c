// The upload endpoint (an addition to the specification).
import type { PackedBody } from '../../../platform/http/packed-body.ts';
import { type Route, route } from '../../../platform/http/route.ts';
import type { Services } from '../../../platform/services.ts';
import { type Context, receiveUpload } from './receive-upload.ts';
import { uploadBody, uploadReply } from './schemas.ts';
import type { UploadAnswer } from './upload-answer.ts';

/** Per phone: as many as it may begin in a second. What their bodies occupy has a budget of its own. */
export const MAX_CONCURRENT_UPLOADS = 20;

const REFUSED = { n: 1, bad: 1, ms: 0 };

export const uploadRoutes: readonly Route[] = [
  route({
    method: 'POST',
    path: '/v1/sdk/uploads',
    operationId: 'uploadData',
    tag: 'Mobile SDK',
    summary: 'Upload data from a source on the phone',
    description:
      'The body is plain, gzip or zstd; at most 8 MiB compressed and 20 MiB uncompressed. Once the call returns, accepted data is durable and visible to every read. ' +
      'Invalid items are listed in `rejected` and valid items are stored. A retry with the same upload_id and body returns the same response.',
    access: { to: 'sdk_session' },
    healthDataOf: 'nobody',
    bodyKind: 'packed_json',
    maxInWork: MAX_CONCURRENT_UPLOADS,
    body: uploadBody,
    replies: { 200: uploadReply },
    present: (answer: UploadAnswer) => ({ status: 200, body: answer }),
    errors: ['upload_conflict', 'device_limit'],
    handle: (context, { body }) => countUpload(context, body), // checked item by item, not against the schema
  }),
];

/** Receives an upload and counts it. */
export async function countUpload(
  context: Context & { services: Pick<Services, 'metrics' | 'usage'> },
  body: PackedBody,
): Promise<UploadAnswer> {
  const { metrics, usage } = context.services;
  const { tenant } = context.caller;
  try {
    const answer = await receiveUpload(context, body);
    const { accepted, duplicates, rejected_count: refused } = answer;
    const isRefused = accepted === 0 && refused > 0;
    metrics.countUpload(isRefused ? 'rejected' : 'accepted');
    metrics.countSamples('upload', 'accepted', accepted);
    metrics.countSamples('upload', 'duplicate', duplicates);
    metrics.countSamples('upload', 'rejected', refused);
    usage.count(tenant, 'upload', '', { n: 1, bad: isRefused ? 1 : 0, ms: 0 });
    usage.count(tenant, 'reading', '', { n: accepted + refused, bad: refused, ms: 0 });
    return answer;
  } catch (error) {
    metrics.countUpload('failed');
    usage.count(tenant, 'upload', '', REFUSED);
    throw error;
  }
}
