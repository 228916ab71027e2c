// Daily activity and continuous heart rate, in local time of the device without an offset.
// https://www.polar.com/accesslink-api/#daily-activity https://www.polar.com/accesslink-api/#continuous-heart-rate
import { type LocalDate, parseLocalDate } from '../../domain/time/calendar.ts';
import { type MapContext, ProviderAnswerError } from '../contract.ts';
import { collectRecords, type ProviderRecords, type RecordCollector } from '../provider-records.ts';
import { type JsonObject, readList, readNumber, readPart, readText, required } from '../read-json.ts';
import { readDate, readLastingMs } from '../read-time.ts';
import { rejectField } from '../unreadable-fields.ts';
import { addActive, agrees, readZoneSeconds } from './activity-zones.ts';
import { atLocal, readClock, readDurationSeconds, readLocalMoment } from './local-times.ts';
import { listOrOne } from './map-sleep.ts';
import { readSignal } from './read-signal.ts';

const STEP_INTERVAL_MS = 60_000;

export function mapActivities(body: unknown, { zone }: MapContext): ProviderRecords {
  const records = collectRecords();
  records.each(listOrOne(body, 'activities'), (item) => {
    const date = readDay(item);
    records.daily('steps', date, readNumber(item, 'steps'), 'count');
    records.daily('distance', date, readNumber(item, 'distance_from_steps'), 'm');
    addDurations(records, item, date, zone);
    addEnergy(records, item, date);
    addSteps(records, item, zone);
  });
  return records.records();
}

/** Polar reports two totals itself, without sleep and time not worn. */
function addDurations(records: RecordCollector, item: JsonObject, date: LocalDate, timeZone: string): void {
  const active = readDurationSeconds(item, 'active_duration'); // ISO 8601
  const inactive = readDurationSeconds(item, 'inactive_duration'); // ISO 8601
  const reported = readZoneSeconds(item, timeZone);
  const isWhole = reported === null || agrees(reported, { active, inactive });
  const zones = isWhole ? reported : rejectField('activity_zones', 'contradict the totals of the day');
  records.daily('active_minutes', date, active ?? (zones === null ? null : addActive(zones)), 's');
  records.daily('sedentary_time', date, inactive ?? zones?.SEDENTARY ?? null, 's');
  if (zones === null) return;
  records.daily('light_activity', date, zones.LIGHT, 's');
  records.daily('moderate_activity', date, zones.MODERATE, 's');
  records.daily('vigorous_activity', date, zones.VIGOROUS, 's');
}

/** `calories`: kcal of the whole day, active and resting. Without the active part only the total is known. */
function addEnergy(records: RecordCollector, item: JsonObject, date: LocalDate): void {
  const total = readNumber(item, 'calories');
  const active = readNumber(item, 'active_calories');
  if (active === null) records.daily('total_calories', date, total, 'kcal');
  records.daily('active_calories', date, active, 'kcal');
  if (total !== null && active !== null && total >= active)
    records.daily('resting_energy', date, total - active, 'kcal');
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
  if (date === null) throw new ProviderAnswerError('start_time is not a time');
  return date;
}

/** heart_rate: bpm, about every five minutes, without training. */
export function mapContinuousHeartRate(body: unknown, { zone }: MapContext): ProviderRecords {
  const records = collectRecords();
  records.each(listOrOne(body, 'heart_rates'), (item) => {
    const date = required(readDate(item, 'date'), 'date');
    records.each(readList(item, 'heart_rate_samples'), (sample) => {
      const clock = required(readClock(sample, 'sample_time'), 'sample_time');
      records.sample('heart_rate', atLocal(zone, date, clock), readSignal(sample, 'heart_rate'), 'bpm');
    });
  });
  return records.records();
}
