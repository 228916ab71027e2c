// Creates the deliveries of published events for all subscribed webhooks, in the transaction that publishes the events.
import type { Subscriber } from '../events/index.ts';
import { insertDeliveries, lockSubscriptions } from './delivery-store.ts';

export const ALL_EVENTS = '*';

export const planDeliveries: Subscriber = async (tx, events, now) => {
  const byFeed = Map.groupBy(events, ({ tenant }) => `${tenant.accountId}/${tenant.environment}`);
  const tenants = [...byFeed.values()].flatMap(([event]) => (event ? [event.tenant] : []));
  const subscriptions = await lockSubscriptions(tx, tenants);
  const planned = subscriptions.flatMap(({ webhookId, tenant, events: wanted }) =>
    (byFeed.get(`${tenant.accountId}/${tenant.environment}`) ?? [])
      .filter(({ type }) => wanted.includes(ALL_EVENTS) || wanted.includes(type))
      .map((event) => ({ webhookId, event })),
  );
  if (planned.length > 0) await insertDeliveries(tx, planned, now);
};
