// What every cloud provider says of itself. Plain data; connectors add their pure functions to this.
import type { Category } from '../domain/categories.ts';
import type { DeviceClass, MetricId } from '../domain/metrics/index.ts';

export type CloudProvider = {
  readonly id: string;
  readonly displayName: string;
  readonly auth: 'oauth2';
  readonly deviceClass: DeviceClass;
  readonly categories: readonly Category[];
  readonly metrics: readonly MetricId[];
  /** Tells us by itself when there is something new. */
  readonly push: boolean;
  readonly historyDays: number;
};
