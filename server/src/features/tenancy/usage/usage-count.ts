// The counted things, and one counter.
import type { Environment } from '../../../domain/tenancy.ts';

/** `source`: updates by the provider or phone that caused them. `reading`: items of uploads. `listen`: reads of the feed by the command line. */
export type UsageKind = 'request' | 'upload' | 'reading' | 'event' | 'source' | 'delivery' | 'listen';
export type Counted = { readonly n: number; readonly bad: number; readonly ms: number };

export type UsageCount = {
  readonly accountId: string;
  readonly environment: Environment;
  readonly minuteMs: number;
  readonly kind: UsageKind;
  readonly key: string;
  n: number;
  bad: number;
  ms: number;
};
