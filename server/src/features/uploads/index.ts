export type { Deletion } from './parse-deletions.ts';
export type { UploadSource } from './parse-envelope.ts';
export { type ParsedUpload, parseUpload, type UploadContext, type UploadResult } from './parse-upload.ts';
