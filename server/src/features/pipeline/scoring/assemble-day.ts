// What the scores of one day are made of, for who explains them. Changes nothing.

import type { MetricHistory } from '../../../domain/metrics/history-metrics.ts';
import type { ScoreInputs } from '../../../domain/scores/index.ts';
import type { LocalDate } from '../../../domain/time/calendar.ts';
import type { Transaction } from '../../../platform/db/database.ts';
import type { UserHandle } from '../../tenancy/user-core/index.ts';
import { openScoreBuffer } from './score-buffer.ts';
import { openAssembling } from './score-days.ts';

/** As of the last run. Null: that day tells nothing, or no run has seen it yet. */
export async function readAssembledDay(
  tx: Transaction,
  user: UserHandle,
  date: LocalDate,
): Promise<ScoreInputs | null> {
  return (await assembleOne(tx, user, date))?.inputs ?? null;
}

/** What the derived metrics of `HISTORY_RULES` of one day are computed from. As of the last run, as they are themselves. */
export function readMetricHistory(tx: Transaction, user: UserHandle, date: LocalDate): Promise<MetricHistory | null> {
  return assembleOne(tx, user, date);
}

async function assembleOne(tx: Transaction, user: UserHandle, date: LocalDate) {
  const buffer = openScoreBuffer(tx, user);
  await buffer.loadAround(date);
  const assemble = await openAssembling(tx, user, buffer, date, date);
  return assemble(date);
}
