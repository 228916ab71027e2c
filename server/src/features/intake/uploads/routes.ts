// The upload of a phone (an addition to the specification).
import type { PackedBody } from '../../../platform/http/packed-body.ts';
import { dialect, type Route, route } from '../../../platform/http/route.ts';
import { receiveUpload } from './receive-upload.ts';
import { uploadBody, uploadReply } from './schemas.ts';
import type { UploadAnswer } from './upload-answer.ts';

/** Of a phone: one being worked on, and the next one arriving. */
const MAX_UPLOADS_IN_WORK = 2;

export const uploadRoutes: readonly Route[] = [
  route({
    method: 'POST',
    path: '/v1/sdk/uploads',
    operationId: 'uploadData',
    tag: 'Mobile SDK',
    summary: 'Send what a source on the phone measured',
    description:
      'Plain, gzip or zstd; 8 MB packed, 20 MB unpacked. Once it is answered everything accepted is durable and every read sees it. ' +
      'A bad item is named in `rejected` and the good ones are stored. A retry with the same upload_id and body gets the same answer.',
    access: { to: 'sdk_session' },
    bodyKind: 'packed_json',
    maxInWork: MAX_UPLOADS_IN_WORK,
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
