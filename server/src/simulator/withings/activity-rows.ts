// Days as the watch counted them; some also have data that a phone imported from elsewhere.
import { createDraw } from '../../domain/sandbox/index.ts';
import type { AccountDay, AccountView } from '../account-view.ts';
import { countMinutes } from '../lived-minutes.ts';
import { DEVICES, deviceIdOf } from './names.ts';
import { pickFields, type Row, toSeconds } from './rows.ts';
import { zoneSeconds } from './zone-seconds.ts';

const USUAL = 'steps distance elevation soft moderate intense active calories totalcalories'.split(' ');
const WITHINGS = 1;
const IMPORTED = 18;

export function listActivities(view: AccountView, day: AccountDay, form: URLSearchParams): Row[] {
  if (day.untilMs <= day.lived.fromMs) return [];
  const { seed, zone } = view.account;
  const common = { timezone: zone.name, date: day.date, modified: toSeconds(day.untilMs) + 60 };
  const counted = countDay(view, day);
  const { model, modelid } = DEVICES.watch;
  const watch = { ...common, ...deviceIdOf(seed, 'watch'), brand: WITHINGS, modelid, model, is_tracker: true };
  const rows = [{ ...pickFields(counted, form, USUAL), ...watch }];
  if (!createDraw(seed, 'imported', day.date).isLucky(0.2)) return rows;
  const seen = { steps: Math.round(counted.steps * 0.8), distance: counted.distance * 0.8, calories: 0 };
  const fit = { brand: IMPORTED, modelid: 1_055, model: 'GoogleFit tracker', is_tracker: false };
  const from = { ...common, deviceid: null, hash_deviceid: null, ...fit };
  return [...rows, { ...pickFields(seen, form, USUAL), ...from }];
}

function countDay(view: AccountView, day: AccountDay) {
  const sum = (metric: string) => day.series(metric).reduce((total, { value }) => total + value, 0);
  const minutes = countMinutes(day);
  const bpm = day.series('heart_rate').map(({ value }) => value);
  const calories = toThousandth(sum('active_calories'));
  return {
    steps: sum('steps'),
    distance: toThousandth(1_000 * sum('distance')),
    elevation: sum('floors_climbed'),
    soft: minutes.light * 60,
    moderate: minutes.moderate * 60,
    intense: minutes.vigorous * 60,
    active: (minutes.moderate + minutes.vigorous) * 60,
    calories,
    totalcalories: toThousandth(calories + sum('resting_energy')),
    ...(bpm.length > 0 && {
      hr_average: Math.round(bpm.reduce((total, value) => total + value, 0) / bpm.length),
      hr_min: Math.min(...bpm),
      hr_max: Math.max(...bpm),
      ...zoneSeconds(view, bpm, 60),
    }),
  };
}

function toThousandth(value: number): number {
  return Math.round(value * 1_000) / 1_000;
}
