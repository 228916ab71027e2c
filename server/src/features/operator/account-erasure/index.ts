export { eraseAccountJob } from './jobs.ts';
