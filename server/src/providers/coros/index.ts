// COROS open API: watches. Its reference is only open to partners; written from clients that cite version 2.0.6 of it, and from
// what they agree on. Everything else is in `unconfirmed` and off until the operator enables it.
import type { CloudProvider } from '../contract.ts';
import { about } from './about.ts';
import { NOT_MAPPED } from './not-mapped.ts';
import { corosOAuth } from './oauth.ts';
import { COROS_RESOURCES } from './resources.ts';
import { PART_COVERAGE, UNCONFIRMED } from './unconfirmed.ts';
import { corosWebhook } from './webhook.ts';

/** Test accounts of partners are at https://opentest.coros.com. */
const ORIGIN = 'https://open.coros.com';

export const coros: CloudProvider = {
  id: 'coros',
  displayName: 'COROS',
  about,
  deviceClass: 'wrist',
  metrics: [],
  hasSleep: false,
  sleepVitals: [],
  hasWorkouts: true,
  historyDays: 88, // three months; February is short
  documentation: 'https://open.coros.com/',
  origins: { authorize: ORIGIN, token: ORIGIN, api: ORIGIN },
  oauth: corosOAuth,
  budgets: [{ per: 'application', requests: 60, seconds: 60, readLeft: () => null }], // no limit is published
  resources: COROS_RESOURCES,
  webhook: corosWebhook,
  notMapped: NOT_MAPPED,
  unconfirmed: UNCONFIRMED,
  partCoverage: PART_COVERAGE,
};
