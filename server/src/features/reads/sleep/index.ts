export type { FilledSleep } from './describe-sleeps.ts';
export { listSleeps } from './list-sleeps.ts';
export { presentStages } from './present-stages.ts';
export { sleepRoutes } from './routes.ts';
