// The upload endpoint (an addition to the specification).
import type { PackedBody } from '../../../platform/http/packed-body.ts';
import { dialect, type Route, route } from '../../../platform/http/route.ts';
import { receiveUpload } from './receive-upload.ts';
import { uploadBody, uploadReply } from './schemas.ts';
import type { UploadAnswer } from './upload-answer.ts';

/** Per phone: one upload being processed and the next one arriving. */
const MAX_CONCURRENT_UPLOADS = 2;

export const uploadRoutes: readonly Route[] = [
  route({
    method: 'POST',
    path: '/v1/sdk/uploads',
    operationId: 'uploadData',
    tag: 'Mobile SDK',
    summary: 'Upload data from a source on the phone',
    description:
      'The body is plain, gzip or zstd; at most 8 MB compressed and 20 MB uncompressed. Once the call returns, accepted data is durable and visible to every read. ' +
      'Invalid items are listed in `rejected` and valid items are stored. A retry with the same upload_id and body returns the same reply.',
    access: { to: 'sdk_session' },
    bodyKind: 'packed_json',
    maxInWork: MAX_CONCURRENT_UPLOADS,
    dialects: {
      both: dialect({
        body: uploadBody,
        replies: { 200: uploadReply },
        parse: ({ body }) => body as unknown as PackedBody, // checked item by item, not against the schema
        present: (answer: UploadAnswer) => ({ status: 200, body: answer }),
      }),
    },
    errors: ['upload_conflict', 'device_limit'],
    handle: receiveUpload,
  }),
];
