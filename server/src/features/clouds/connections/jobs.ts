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

const BATCH_ROWS = 1_000;

export const tidyConnectionsJob = defineJob({
  name: 'tidy_connections',
  payload: Type.Object({}),
  cron: '41 * * * *',
  async run(services) {
    const { db, clock } = services;
    const before = new Date(clock.now().getTime() - LISTED_AFTER_CLOSING_MS);
    await removeClosedDevices(db, before);
    while ((await removeOldAuthorizations(db, before, BATCH_ROWS)) === BATCH_ROWS);
    await hashReadableBars(services);
    await removeEndedBars(db);
  },
});
