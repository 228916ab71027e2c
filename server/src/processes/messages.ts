// What the supervisor and its processes send each other over their IPC channels.
import { SECOND_MS } from '../domain/time/durations.ts';
import type { MetricValues } from '../platform/metrics.ts';
import type { DatabaseFacts } from '../start-database.ts';

export const ALIVE_EVERY_MS = 5 * SECOND_MS;

/** What a process does in its group. */
export type Assignment = {
  readonly role: 'api' | 'worker';
  /** One API process has the operator socket and creates the first account. */
  readonly isLead: boolean;
  /** False: it replaces another process. */
  readonly isFirst: boolean;
  readonly apiProcesses: number;
  readonly hasWorker: boolean;
  /** The URL of the API processes. Null for an API process, which finds it itself. */
  readonly publicUrl: string | null;
  /** Marks calls from one process of the group to another. */
  readonly ownCallSecret: string;
  /** When the supervisor was started, in milliseconds of the epoch. */
  readonly startedAtMs: number;
  readonly database: DatabaseFacts;
};

export type ToMember =
  | { readonly kind: 'begin'; readonly assignment: Assignment }
  | { readonly kind: 'stop' }
  /** Another process has taken over: finish and end. */
  | { readonly kind: 'retire' }
  | { readonly kind: 'read metrics'; readonly id: number }
  | { readonly kind: 'rendered metrics'; readonly id: number; readonly text: string | null };

export type FromMember =
  | { readonly kind: 'loaded' }
  /** Once it has loaded its code, and then every ALIVE_EVERY_MS: a process without it responds to nobody. */
  | { readonly kind: 'alive' }
  | { readonly kind: 'ready'; readonly publicUrl: string }
  /** It cannot start; the message is for the operator. */
  | { readonly kind: 'failed'; readonly message: string }
  /** At its end, so that nothing it counted is lost. */
  | { readonly kind: 'last metrics'; readonly values: MetricValues }
  | { readonly kind: 'metrics'; readonly id: number; readonly values: MetricValues | null }
  | { readonly kind: 'render metrics'; readonly id: number };
