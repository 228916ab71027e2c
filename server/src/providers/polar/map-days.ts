// Daily activity and continuous heart rate: the wall's time of the device, told without an offset.
// https://www.polar.com/accesslink-api/#daily-activity https://www.polar.com/accesslink-api/#continuous-heart-rate
import { type LocalDate, parseLocalDate } from '../../domain/calendar.ts';
import { type MapContext, ProviderAnswerError } from '../contract.ts';
import { collectRecords, type ProviderRecords, type RecordCollector } from '../provider-records.ts';
import { type JsonObject, readList, readNumber, readPart, readText, required } from '../read-json.ts';
import { readDate, readLastingMs } from '../read-time.ts';
import { atLocal, readClock, readDurationSeconds, readLocalMoment } from './local-times.ts';
import { listOrOne } from './map-sleep.ts';

const STEP_INTERVAL_MS = 60_000;

export function mapActivities(body: unknown, { zone }: MapContext): ProviderRecords {
  const records = collectRecords();
  records.each(listOrOne(body, 'activities'), (item) => {
    const date = readDay(item);
    records.daily('steps', date, readNumber(item, 'steps'), 'count');
    records.daily('distance', date, readNumber(item, 'distance_from_steps'), 'm');
    records.daily('active_minutes', date, readDurationSeconds(item, 'active_duration'), 's'); // ISO 8601
    records.daily('sedentary_time', date, readDurationSeconds(item, 'inactive_duration'), 's'); // ISO 8601, without sleep
    records.daily('active_calories', date, readNumber(item, 'active_calories'), 'kcal');
    records.daily('resting_energy', date, readResting(item), 'kcal');
    addSteps(records, item, zone);
  });
  return records.records();
}

/** `calories`: kcal of the whole day, the active ones and those of rest. */
function readResting(item: JsonObject): number | null {
  const total = readNumber(item, 'calories');
  const active = readNumber(item, 'active_calories');
  return total === null || active === null || total < active ? null : total - active;
}

function addSteps(records: RecordCollector, item: JsonObject, zone: string): void {
  const steps = readPart(readPart(item, 'samples') ?? {}, 'steps') ?? {};
  const lastsMs = readLastingMs(steps, 'interval_ms', 1) ?? STEP_INTERVAL_MS;
  records.each(readList(steps, 'samples'), (sample) => {
    const at = required(readLocalMoment(sample, 'timestamp', zone), 'timestamp');
    records.sample('steps', { ...at, end: at.start + lastsMs }, readNumber(sample, 'steps'), 'count');
  });
}

function readDay(item: JsonObject): LocalDate {
  const date = parseLocalDate(required(readText(item, 'start_time'), 'start_time').slice(0, 10));
  if (date === null) throw new ProviderAnswerError('start_time is no time');
  return date;
}

/** heart_rate: bpm, about every five minutes and without what training recorded. */
export function mapContinuousHeartRate(body: unknown, { zone }: MapContext): ProviderRecords {
  const records = collectRecords();
  records.each(listOrOne(body, 'heart_rates'), (item) => {
    const date = required(readDate(item, 'date'), 'date');
    records.each(readList(item, 'heart_rate_samples'), (sample) => {
      const clock = required(readClock(sample, 'sample_time'), 'sample_time');
      records.sample('heart_rate', atLocal(zone, date, clock), readNumber(sample, 'heart_rate'), 'bpm');
    });
  });
  return records.records();
}
