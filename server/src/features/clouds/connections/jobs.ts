// Hourly: removes expired authorization requests and connections that failed.

import { defineJob } from '../../../platform/jobs/define-job.ts';
import { Type } from '../../../platform/json-schema.ts';
import {
  hashReadableBars,
  LISTED_AFTER_CLOSING_MS,
  removeClosedDevices,
  removeEndedBars,
} from '../../store/devices/index.ts';
import { removeOldAuthorizations } from './store.ts';

export const tidyConnectionsJob = defineJob({
  name: 'tidy_connections',
  payload: Type.Object({}),
  cron: '41 * * * *',
  async run(services) {
    const { db, clock } = services;
    const before = new Date(clock.now().getTime() - LISTED_AFTER_CLOSING_MS);
    await removeClosedDevices(db, before);
    await removeOldAuthorizations(db, before);
    await hashReadableBars(services);
    await removeEndedBars(db);
  },
});
