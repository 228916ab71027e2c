export { removeRoutesJob } from './jobs.ts';
