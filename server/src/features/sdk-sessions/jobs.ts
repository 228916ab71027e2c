// Forgets idempotency keys whose day has passed.
import Type from 'typebox';
import { defineJob } from '../../platform/jobs/define-job.ts';
import { IDEMPOTENCY_MS } from './sdk-session.ts';
import { removeOldRequests } from './store.ts';

export const removeOldSdkRequestsJob = defineJob({
  name: 'remove_old_sdk_requests',
  payload: Type.Object({}),
  cron: '27 * * * *',
  run: (services) => removeOldRequests(services.db, new Date(services.clock.now().getTime() - IDEMPOTENCY_MS)),
});
