// A sync log entry in the API of the dashboard.
import { formatInstant, formatNullableInstant } from '../../../domain/time/calendar.ts';
import { nullable, oneOfWords, timestamp, uuid } from '../../../platform/http/schema.ts';
import { Type } from '../../../platform/json-schema.ts';
import type { SyncLogEntry } from './log-store.ts';
import { SYNC_KINDS, SYNC_OUTCOMES } from './run-report.ts';

const date = () => nullable(Type.String({ format: 'date' }));

export const syncLogEntry = Type.Object({
  id: uuid('the entry'),
  at: timestamp(),
  kind: oneOfWords(SYNC_KINDS, { description: 'the most urgent work of the run' }),
  outcome: oneOfWords(SYNC_OUTCOMES),
  cause: nullable(Type.String({ description: 'the resource that failed, or what was wrong with a response' })),
  http_status: nullable(Type.Integer()),
  retry_at: nullable(timestamp()),
  records: Type.Integer({ description: 'records that were added, changed or deleted' }),
  refused: Type.Integer({ description: 'values that were dropped because they are impossible' }),
  metrics: Type.Array(Type.String()),
  days: Type.Object({ from: date(), to: date() }, { description: 'the days that changed' }),
  ms: Type.Integer({ description: 'duration of the run in milliseconds' }),
  runs: Type.Integer({ description: 'runs in a row that found nothing new share an entry' }),
});

export function presentSyncLog(entry: SyncLogEntry) {
  return {
    id: entry.id,
    at: formatInstant(entry.at),
    kind: entry.kind,
    outcome: entry.outcome,
    cause: entry.cause,
    http_status: entry.httpStatus,
    retry_at: formatNullableInstant(entry.retryAt),
    records: entry.records,
    refused: entry.refused,
    metrics: entry.metrics,
    days: { from: entry.days?.from ?? null, to: entry.days?.to ?? null },
    ms: entry.durationMs,
    runs: entry.runs,
  };
}
