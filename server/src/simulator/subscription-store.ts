// Who asked to be told of what. A restart forgets them, as providers do now and then: clients repair them daily.
import { createBoundedMap } from './bounded-map.ts';

export type Subscription = {
  readonly id: string;
  readonly topic: string;
  readonly callbackUrl: string;
  /** Null: it does not end. */
  readonly endsMs: number | null;
  /** Of one person; null: of the whole application. */
  readonly account: string | null;
  /** What its notices are signed with, where each has a secret of its own. */
  readonly secret: string | null;
};

const MAX_SUBSCRIPTIONS = 5_000;

export type SubscriptionStore = {
  /** Those that have not ended. */
  list(now: Date): Subscription[];
  find(id: string, now: Date): Subscription | null;
  /** In place of one with the same id. */
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
