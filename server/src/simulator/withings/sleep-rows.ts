// Nights: a summary of each in seconds, and its stages with measurements.
import type { SleepSession, SleepStage } from '../../domain/records/records.ts';
import { createDraw } from '../../domain/sandbox/index.ts';
import type { AccountDay, AccountView } from '../account-view.ts';
import { pointsBetween } from '../points-between.ts';
import { DEVICES, deviceIdOf, numberOf } from './names.ts';
import { listNightReadings, type NightReading } from './night-readings.ts';
import { pickFields, type Row, toSeconds } from './rows.ts';

const STATES: Readonly<Record<SleepStage, number>> = { awake: 0, light: 1, deep: 2, rem: 3, asleep: 5, in_bed: 0 };
const USUAL = 'wakeupduration lightsleepduration deepsleepduration remsleepduration wakeupcount sleep_score'.split(' ');

export function listSummaries(view: AccountView, day: AccountDay, form: URLSearchParams): Row[] {
  const { seed, zone } = view.account;
  return day.sleeps.map((sleep) => ({
    id: numberOf(seed, 'sleep', sleep.key),
    timezone: zone.name,
    model: DEVICES.watch.type,
    model_id: DEVICES.watch.modelid,
    hash_deviceid: deviceIdOf(seed, 'watch').hash_deviceid,
    startdate: toSeconds(sleep.start),
    enddate: toSeconds(sleep.end),
    date: day.date,
    created: toSeconds(sleep.end) + 300,
    modified: toSeconds(sleep.end) + 300,
    completed: true,
    data: pickFields(summarise(view, sleep), form, USUAL),
  }));
}

/** Parts of all nights that begin in [from, to). */
export function listParts(view: AccountView, from: number, to: number, form: URLSearchParams) {
  const { seed, zone } = view.account;
  const days = view.days(zone.dayAt(from).date, zone.dayAt(to).date);
  const device = { model: DEVICES.watch.model, model_id: DEVICES.watch.modelid };
  return days
    .flatMap((day) => day.sleeps)
    .flatMap((sleep) => {
      const readings = listNightReadings(view, sleep);
      return (sleep.stages ?? []).map(({ stage, start, end }) => {
        const series = Object.entries(readings).map(([name, list]) => [name, between(list, start, end)]);
        const frame = { startdate: toSeconds(start), enddate: toSeconds(end), state: STATES[stage] };
        const { hash_deviceid } = deviceIdOf(seed, 'watch');
        return {
          start,
          part: { ...frame, ...device, hash_deviceid, ...pickFields(Object.fromEntries(series), form, []) },
        };
      });
    })
    .filter(({ start }) => start >= from && start < to)
    .map(({ part }) => part);
}

function between(readings: readonly NightReading[], from: number, to: number): Record<string, number> {
  const inside = readings.filter(({ ms }) => ms >= from && ms < to);
  return Object.fromEntries(inside.map(({ ms, value }) => [toSeconds(ms), value]));
}

function summarise(view: AccountView, sleep: SleepSession) {
  const stages = sleep.stages ?? [];
  const inStage = (wanted: SleepStage) =>
    stages.reduce((sum, { stage, start, end }) => sum + (stage === wanted ? (end - start) / 1_000 : 0), 0);
  const inBed = (sleep.end - sleep.start) / 1_000;
  const awake = inStage('awake');
  const wakings = stages.filter(({ stage }, index) => stage === 'awake' && index > 0 && index < stages.length - 1);
  const latency = (index: number) => {
    const one = stages.at(index);
    return one?.stage === 'awake' ? (one.end - one.start) / 1_000 : 0;
  };
  const bpm = pointsBetween(view, 'heart_rate', sleep.start, sleep.end).map(({ value }) => value);
  const draw = createDraw(view.account.seed, 'opinion of a night', sleep.key);
  const snoring = listNightReadings(view, sleep).snoring.map(({ value }) => value);
  return {
    total_timeinbed: inBed,
    total_sleep_time: inBed - awake,
    asleepduration: inBed - awake,
    lightsleepduration: inStage('light'),
    deepsleepduration: inStage('deep'),
    remsleepduration: inStage('rem'),
    wakeupduration: awake,
    wakeupcount: wakings.length,
    sleep_efficiency: Math.round((100 * (inBed - awake)) / inBed) / 100,
    sleep_latency: latency(0),
    wakeup_latency: latency(-1),
    waso: Math.max(0, awake - latency(0) - latency(-1)),
    nb_rem_episodes: stages.filter(({ stage }) => stage === 'rem').length,
    out_of_bed_count: Math.min(wakings.length, 1),
    ...(sleep.heartRate !== null && { hr_average: Math.round(sleep.heartRate) }),
    ...(bpm.length > 0 && { hr_min: Math.min(...bpm), hr_max: Math.max(...bpm) }),
    ...(sleep.respiratoryRate !== null && {
      rr_average: Math.round(sleep.respiratoryRate),
      rr_min: Math.round(sleep.respiratoryRate) - 3,
      rr_max: Math.round(sleep.respiratoryRate) + 4,
    }),
    ...(sleep.heartRateVariability !== null && {
      rmssd_start_avg: Math.round(0.92 * sleep.heartRateVariability),
      rmssd_end_avg: Math.round(1.08 * sleep.heartRateVariability),
    }),
    snoring: snoring.reduce((sum, value) => sum + value, 0),
    snoringepisodecount: snoring.filter((value) => value > 0).length,
    breathing_disturbances_intensity: Math.round(draw.between(0, 20)),
    apnea_hypopnea_index: Math.round(draw.between(0, 5)),
    sleep_score: Math.round(draw.between(62, 95)),
  };
}
