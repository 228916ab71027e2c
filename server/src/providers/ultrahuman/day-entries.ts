// The entries of an answer, each with its date. Versions of the API differ: `data.metric_data` is the list of the requested day, and
// `data.metrics` has a list for each date. A type may be missing, and may occur twice.
import { parseLocalDate } from '../../domain/time/calendar.ts';
import { ProviderAnswerError } from '../provider-answer-error.ts';
import { asObject, readList, readPart, readValues, required } from '../read-json.ts';

type DayEntries = { readonly date: string; readonly entries: readonly unknown[] };

/** `requested`: the date of the request. */
export function listDays(body: unknown, requested: string): DayEntries[] {
  const data = required(readPart(asObject(body), 'data'), 'data');
  const byDate = readPart(data, 'metrics');
  if (byDate === null) return [{ date: requested, entries: readValues(data, 'metric_data') }];
  return Object.keys(byDate).map((date) => {
    if (parseLocalDate(date) === null) throw new ProviderAnswerError('metrics has a key that is not a date');
    return { date, entries: readList(byDate, date) };
  });
}
