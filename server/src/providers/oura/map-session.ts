// Rest sessions that the user started. https://cloud.ouraring.com/v2/docs#tag/Session-Routes: HRV in ms (RMSSD).
import { placeApart } from '../place-apart.ts';
import type { RecordCollector } from '../provider-records.ts';
import { type JsonObject, readText } from '../read-json.ts';
import { readMoment } from '../read-time.ts';
import { rejectField } from '../unreadable-fields.ts';
import { collectSeries } from './map-series.ts';

const MINDFUL = ['breathing', 'meditation'];

export function collectSessions(documents: readonly unknown[], into: RecordCollector): void {
  into.each(documents, (document) => {
    if (MINDFUL.includes(readText(document, 'type') ?? '')) collectMindfulness(into, document);
    // If the user falls asleep, the sleep reports the same times.
    const series = ['heart_rate_variability', 'heart_rate_variability_rmssd', 'ms'] as const;
    collectSeries(into, document, ...series, (at) => placeApart(at, 1));
  });
}

/** The series has its own times and is valid without these. */
function collectMindfulness(into: RecordCollector, document: JsonObject): void {
  const start = readMoment(document, 'start_datetime');
  const end = readMoment(document, 'end_datetime');
  if (start === null || end === null) return void rejectField('session', 'has no start or no end');
  const at = { start: start.ms, end: end.ms, offsetMinutes: start.offsetMinutes };
  into.sample('mindfulness', at, (end.ms - start.ms) / 1_000, 's');
}
