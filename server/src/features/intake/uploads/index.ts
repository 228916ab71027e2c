export { type IntakeMetrics, registerIntakeMetrics } from './intake-metrics.ts';
export { tidyUploadsJob } from './jobs.ts';
export { type ParsedUpload, parseUpload, type UploadContext, type UploadResult } from './parse-upload.ts';
export { uploadRoutes } from './routes.ts';
export { listUploads, removeUploads, removeUploadsOfDevice, type UploadReceipt } from './store.ts';
