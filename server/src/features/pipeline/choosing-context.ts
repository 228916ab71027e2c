// What choosing days needs to know, for one person and one transaction.
import type { ConsolidationRules } from '../../domain/consolidation-rules.ts';
import { createRules } from '../../domain/consolidation-rules.ts';
import { createZone, type Zone } from '../../domain/day.ts';
import type { Transaction } from '../../platform/db/database.ts';
import type { SourceDevice } from '../devices/index.ts';
import { openSampleBook, type SampleBook } from '../samples/index.ts';
import type { UserHandle } from '../subjects/index.ts';
import { type DayBook, openDayBook } from './day-book.ts';

export type ChoosingContext = {
  readonly tx: Transaction;
  readonly user: UserHandle;
  readonly zone: Zone;
  readonly devices: readonly SourceDevice[];
  readonly rules: ConsolidationRules;
  readonly samples: SampleBook;
  readonly days: DayBook;
};

export function openChoosing(tx: Transaction, user: UserHandle, devices: readonly SourceDevice[]): ChoosingContext {
  return {
    tx,
    user,
    zone: createZone(user.timezone),
    devices,
    rules: createRules(user.consolidation),
    samples: openSampleBook(tx, user),
    days: openDayBook(tx, user),
  };
}
