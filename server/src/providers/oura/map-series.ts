// Series inside of documents: `items` every `interval` seconds from `timestamp` on, null where nothing was measured.
// https://cloud.ouraring.com/v2/docs (PublicSample)
import type { RecordCollector } from '../provider-records.ts';
import { asNumber, type JsonObject, readNumber, readPart, readValues, required } from '../read-json.ts';
import { readMoment } from '../read-time.ts';

type Place = { readonly start: number; readonly offsetMinutes: number };

export function collectSeries(
  into: RecordCollector,
  document: JsonObject,
  name: string,
  metric: string,
  unit: string,
  place = (at: Place): Place => at,
): void {
  const series = readPart(document, name);
  if (series === null) return;
  const { ms, offsetMinutes } = required(readMoment(series, 'timestamp'), `the time of ${name}`);
  const stepMs = required(readNumber(series, 'interval'), `the interval of ${name}`) * 1_000;
  for (const [index, item] of readValues(series, 'items').entries())
    into.sample(metric, place({ start: ms + index * stepMs, offsetMinutes }), asNumber(item, name), unit);
}
