// Series inside documents: `items` every `interval` seconds from `timestamp` on, null if not measured.
// https://cloud.ouraring.com/v2/docs (PublicSample)
import type { RecordCollector } from '../provider-records.ts';
import { asNumber, type JsonObject, readNumber, readPart, readValues } from '../read-json.ts';
import { readMoment } from '../read-time.ts';
import { rejectField } from '../unreadable-fields.ts';

type SampleTime = { readonly start: number; readonly offsetMinutes: number };

export function collectSeries(
  into: RecordCollector,
  document: JsonObject,
  name: string,
  metric: string,
  unit: string,
  adjust = (at: SampleTime): SampleTime => at,
): void {
  const series = readPart(document, name);
  if (series === null) return;
  const moment = readMoment(series, 'timestamp');
  const seconds = readNumber(series, 'interval');
  if (moment === null || seconds === null) return void rejectField(name, 'has no time or no interval');
  const { ms, offsetMinutes } = moment;
  const stepMs = seconds * 1_000;
  for (const [index, item] of readValues(series, 'items').entries())
    into.sample(metric, adjust({ start: ms + index * stepMs, offsetMinutes }), asNumber(item, name), unit);
}
