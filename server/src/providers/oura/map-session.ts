// Moments of rest that the person started. https://cloud.ouraring.com/v2/docs#tag/Session-Routes: HRV in ms (RMSSD).
import { placeApart } from '../place-apart.ts';
import type { RecordCollector } from '../provider-records.ts';
import { readText, required } from '../read-json.ts';
import { readMoment } from '../read-time.ts';
import { collectSeries } from './map-series.ts';

const MINDFUL = ['breathing', 'meditation'];

export function collectSessions(documents: readonly unknown[], into: RecordCollector): void {
  into.each(documents, (document) => {
    const { ms: start, offsetMinutes } = required(readMoment(document, 'start_datetime'), 'start_datetime');
    const { ms: end } = required(readMoment(document, 'end_datetime'), 'end_datetime');
    if (MINDFUL.includes(readText(document, 'type') ?? ''))
      into.sample('mindfulness', { start, end, offsetMinutes }, (end - start) / 1_000, 's');
    // Some fall asleep in it, and then the sleep tells of the same moments.
    const series = ['heart_rate_variability', 'heart_rate_variability_rmssd', 'ms'] as const;
    collectSeries(into, document, ...series, (at) => placeApart(at, 1));
  });
}
