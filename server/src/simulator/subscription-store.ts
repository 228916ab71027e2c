// Webhook subscriptions. A restart drops them, as providers sometimes do; clients restore them daily.
import { createBoundedMap } from '../domain/bounded-map.ts';

export type Subscription = {
  readonly id: string;
  readonly topic: string;
  readonly callbackUrl: string;
  /** Null: it does not expire. */
  readonly endsMs: number | null;
  /** For one user; null: for the whole application. */
  readonly account: string | null;
  /** The signing secret, if each subscription has its own. */
  readonly secret: string | null;
};

const MAX_SUBSCRIPTIONS = 5_000;

export type SubscriptionStore = {
  /** Subscriptions that have not expired. */
  list(now: Date): Subscription[];
  find(id: string, now: Date): Subscription | null;
  /** Replaces one with the same id. */
  put(subscription: Subscription): void;
  remove(id: string): void;
};

export function createSubscriptionStore(): SubscriptionStore {
  const known = createBoundedMap<string, Subscription>(MAX_SUBSCRIPTIONS);
  const isAlive = ({ endsMs }: Subscription, now: Date) => endsMs === null || endsMs > now.getTime();
  return {
    list: (now) => [...known.values()].filter((one) => isAlive(one, now)),
    find(id, now) {
      const found = known.get(id);
      return found !== undefined && isAlive(found, now) ? found : null;
    },
    put: (subscription) => void known.set(subscription.id, subscription),
    remove: (id) => void known.delete(id),
  };
}
