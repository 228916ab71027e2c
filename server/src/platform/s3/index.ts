export { createS3Client, S3Error } from './s3-client.ts';
