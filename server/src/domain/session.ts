// What sleeps and workouts have in common. Identified by device and key.
import type { EpochMs } from './records.ts';

export type Session = { readonly key: string; readonly start: EpochMs; readonly end: EpochMs };
