export { withoutRoutes } from './drop-routes.ts';
export { type IntakeMetrics, registerIntakeMetrics } from './intake-metrics.ts';
export { tidyUploadsJob } from './jobs.ts';
export { parseUpload } from './parse-upload.ts';
export type { UploadChange } from './receive-upload.ts';
export { countUpload, uploadRoutes } from './routes.ts';
export { uploadBody, uploadReply } from './schemas.ts';
export { listUploads, removeUploads, removeUploadsOfDevice, type UploadReceipt } from './store.ts';
export type { UploadAnswer } from './upload-answer.ts';
