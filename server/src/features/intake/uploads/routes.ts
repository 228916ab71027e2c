// The upload endpoint (an addition to the specification).
import { type Route, route } from '../../../platform/http/route.ts';
import { receiveCountedUpload } from './receive-counted-upload.ts';
import { uploadBody, uploadReply } from './schemas.ts';
import type { UploadAnswer } from './upload-answer.ts';

/** Per phone: as many as it may begin in a second. What their bodies occupy has a budget of its own. */
export const MAX_CONCURRENT_UPLOADS = 20;

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
    handle: (context, { body }) => receiveCountedUpload(context, body), // checked item by item, not against the schema
  }),
];
