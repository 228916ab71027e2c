// Ingest: stores the records of a device and consolidates them into canonical daily values.
export { type Batch, type Deletion, isEmptyBatch } from './batch.ts';
export { DAY_ABSENCES, type DayAbsence } from './day-absence.ts';
export type { JudgedValue } from './explain-candidates.ts';
export { type ExplainedCandidate, type ExplainedDay, explainDay } from './explain-day.ts';
export type { ExplainedNight } from './explain-night.ts';
export { type ExplainedRecord, RECORD_REASONS, type RecordOutcome } from './explain-records.ts';
export {
  type ExplainedValue,
  explainQuarterHoursOf,
  explainValue,
  explainValues,
  type QuarterHoursOfMetric,
} from './explain-values.ts';
export { type IngestResult, ingest, ingestParts } from './ingest.ts';
export { enqueueRebuild, rebuildUserJob } from './jobs.ts';
export { type PreparedBatch, prepareBatch } from './prepare-batch.ts';
export { type RebuildScope, rebuildUser } from './rebuild.ts';
export { emitChange, type RecordedChange } from './record-change.ts';
export { removeDeviceData } from './remove-device-data.ts';
