// Removes deliveries after 30 days, or after their webhook was deleted.

import { DAY_MS } from '../../../domain/time/durations.ts';
import { defineJob } from '../../../platform/jobs/define-job.ts';
import { Type } from '../../../platform/json-schema.ts';
import { hasDeliveries, listWebhookIds, removeDeliveriesBefore } from './delivery-tidy-store.ts';

const KEPT_MS = 30 * DAY_MS;
const BATCH_ROWS = 1_000;

export const tidyDeliveriesJob = defineJob({
  name: 'tidy_deliveries',
  payload: Type.Object({}),
  cron: '7 * * * *',
  async run({ db, clock }) {
    const before = new Date(clock.now().getTime() - KEPT_MS);
    for (const id of await listWebhookIds(db))
      while ((await removeDeliveriesBefore(db, id, before, BATCH_ROWS)) === BATCH_ROWS);
  },
});

/** Removes the deliveries of a deleted webhook. */
export const removeDeliveriesJob = defineJob({
  name: 'remove_deliveries',
  payload: Type.Object({ webhook_id: Type.String() }),
  async run({ db }, payload) {
    while ((await removeDeliveriesBefore(db, payload.webhook_id, null, BATCH_ROWS)) > 0);
    if (await hasDeliveries(db, payload.webhook_id))
      throw new Error('some deliveries are locked by another transaction; the job is retried');
  },
});
