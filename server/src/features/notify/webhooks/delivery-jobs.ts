// Deliveries leave after a month, or with their webhook.

import { defineJob } from '../../../platform/jobs/define-job.ts';
import { Type } from '../../../platform/json-schema.ts';
import { hasDeliveries, listWebhookIds, removeDeliveriesBefore } from './delivery-store.ts';

const KEPT_MS = 30 * 86_400_000;
const ROWS_AT_A_TIME = 1_000;

export const tidyDeliveriesJob = defineJob({
  name: 'tidy_deliveries',
  payload: Type.Object({}),
  cron: '7 * * * *',
  async run({ db, clock }) {
    const before = new Date(clock.now().getTime() - KEPT_MS);
    for (const id of await listWebhookIds(db))
      while ((await removeDeliveriesBefore(db, id, before, ROWS_AT_A_TIME)) === ROWS_AT_A_TIME);
  },
});

/** Of a webhook that is no more. */
export const removeDeliveriesJob = defineJob({
  name: 'remove_deliveries',
  payload: Type.Object({ webhook_id: Type.String() }),
  async run({ db }, payload) {
    while ((await removeDeliveriesBefore(db, payload.webhook_id, null, ROWS_AT_A_TIME)) > 0);
    if (await hasDeliveries(db, payload.webhook_id))
      throw new Error('some deliveries are held by somebody else just now');
  },
});
