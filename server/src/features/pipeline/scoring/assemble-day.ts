// Assembles the inputs of one day's scores, to explain them. Read-only.

import type { MetricHistory } from '../../../domain/metrics/history-metrics.ts';
import type { ScoreInputs } from '../../../domain/scores/index.ts';
import type { LocalDate } from '../../../domain/time/calendar.ts';
import type { Transaction } from '../../../platform/db/database.ts';
import type { UserHandle } from '../../tenancy/user-core/index.ts';
import { openScoreBuffer } from './score-buffer.ts';
import { openAssembling } from './score-days.ts';

/** As of the last scoring run. Null: the day has no data, or was not scored yet. */
export async function readAssembledDay(
  tx: Transaction,
  user: UserHandle,
  date: LocalDate,
): Promise<ScoreInputs | null> {
  return (await assembleOne(tx, user, date))?.inputs ?? null;
}

/** The inputs of the day's derived metrics in `HISTORY_RULES`, as of the last scoring run. */
export function readMetricHistory(tx: Transaction, user: UserHandle, date: LocalDate): Promise<MetricHistory | null> {
  return assembleOne(tx, user, date);
}

async function assembleOne(tx: Transaction, user: UserHandle, date: LocalDate) {
  const buffer = openScoreBuffer(tx, user);
  await buffer.loadAround(date);
  const assemble = await openAssembling(tx, user, buffer, date, date);
  return assemble(date);
}
