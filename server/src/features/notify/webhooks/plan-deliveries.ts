// Creates the deliveries of published events for all subscribed webhooks, in the transaction that publishes the events.
import { feedKeyOf, type Subscriber } from '../events/index.ts';
import { insertDeliveries, lockSubscriptions } from './delivery-store.ts';
import { ALL_EVENTS } from './webhook.ts';

export const planDeliveries: Subscriber = async (tx, events, now) => {
  const byFeed = Map.groupBy(events, ({ tenant }) => feedKeyOf(tenant));
  const tenants = [...byFeed.values()].flatMap(([event]) => (event ? [event.tenant] : []));
  const subscriptions = await lockSubscriptions(tx, tenants);
  const planned = subscriptions.flatMap(({ webhookId, tenant, events: wanted }) =>
    (byFeed.get(feedKeyOf(tenant)) ?? [])
      .filter(({ type }) => wanted.includes(ALL_EVENTS) || wanted.includes(type))
      .map((event) => ({ webhookId, event })),
  );
  if (planned.length > 0) await insertDeliveries(tx, planned, now);
};
