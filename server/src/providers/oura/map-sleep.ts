// Sleeps. https://cloud.ouraring.com/v2/docs#tag/Sleep-Routes: durations in seconds, rates per minute, HRV in ms (RMSSD).

import type { SleepSession } from '../../domain/records/records.ts';
import type { LocalDate } from '../../domain/time/calendar.ts';
import { isPossible, makeSleep, scale } from '../make-sessions.ts';
import type { RecordCollector } from '../provider-records.ts';
import { type JsonObject, readId, readNumber, readText, required } from '../read-json.ts';
import { readDate, readMoment } from '../read-time.ts';
import { collectSeries } from './map-series.ts';
import { readStages } from './sleep-stages.ts';

/** The night; `sleep` and `late_nap` are naps and fragments. */
const NIGHT = 'long_sleep';
/** A former sleep may have become either: lying still is not sleep. */
const NOT_SLEEP = ['deleted', 'rest'];

export function collectSleep(documents: readonly unknown[], into: RecordCollector): void {
  const lowest = new Map<LocalDate, number>();
  into.each(documents, (document) => {
    const key = required(readId(document, 'id'), 'id');
    const type = readText(document, 'type');
    if (type !== null && NOT_SLEEP.includes(type)) {
      into.deleteSleep(key);
      return;
    }
    into.sleep(toSession(key, document));
    // Heart rate is a separate series that includes nights: here it would count twice.
    collectSeries(into, document, 'hrv', 'heart_rate_variability_rmssd', 'ms');
    if (type === NIGHT) noteLowest(lowest, document);
  });
  for (const [day, bpm] of lowest) into.daily('sleep_heart_rate_min', day, bpm, 'bpm');
}

function toSession(key: string, document: JsonObject): SleepSession {
  const { ms: start, offsetMinutes } = required(readMoment(document, 'bedtime_start'), 'bedtime_start');
  const { ms: end } = required(readMoment(document, 'bedtime_end'), 'bedtime_end');
  const minutes = (name: string) => scale(readNumber(document, name), 60); // s
  return makeSleep({
    key,
    start,
    end,
    offsetMinutes,
    stages: readStages(document, start, end),
    asleepMinutes: minutes('total_sleep_duration'),
    deepMinutes: minutes('deep_sleep_duration'),
    lightMinutes: minutes('light_sleep_duration'),
    remMinutes: minutes('rem_sleep_duration'),
    awakeMinutes: minutes('awake_time'),
    inBedMinutes: minutes('time_in_bed'),
    heartRate: readNumber(document, 'average_heart_rate'), // bpm
    heartRateVariability: readNumber(document, 'average_hrv'), // ms
    hrvKind: 'rmssd',
    respiratoryRate: readNumber(document, 'average_breath'), // breaths/min
  });
}

/** A night in two parts is one night: the lower value counts. */
function noteLowest(lowest: Map<LocalDate, number>, document: JsonObject): void {
  const bpm = readNumber(document, 'lowest_heart_rate'); // bpm, of 30-second samples
  const day = readDate(document, 'day');
  if (bpm !== null && day !== null && isPossible('sleep_heart_rate_min', bpm))
    lowest.set(day, Math.min(bpm, lowest.get(day) ?? bpm));
}
