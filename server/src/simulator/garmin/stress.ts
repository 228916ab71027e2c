// Stress every three minutes, and body battery. Values below 0 say why there is none.
import { createDraw, isDuring } from '../../domain/sandbox/index.ts';
import type { AccountDay, AccountView } from '../account-view.ts';
import { byOffset, makeSummary, type Summary, type TimedValue, timesOf, versionOfDay } from './summary.ts';
import { listWornMinutes } from './worn-minutes.ts';

export const STRESS_SECONDS = 180;
export const MOVING = -2;
const OFF_WRIST = -1;
const MOVING_MET = 2.5;

export function listStressDetails(view: AccountView, day: AccountDay): Summary[] {
  const { fromMs } = day.lived;
  if (day.untilMs <= fromMs) return [];
  const write = () => {
    const levels = listStressLevels(view, day);
    return {
      calendarDate: day.date,
      ...timesOf(view, fromMs, day.untilMs),
      timeOffsetStressLevelValues: byOffset(fromMs, levels),
      timeOffsetBodyBatteryValues: byOffset(fromMs, listBattery(view, day, levels)),
    };
  };
  return [makeSummary(view, 'stress', fromMs, write, versionOfDay(day))];
}

export function listStressLevels({ account }: AccountView, day: AccountDay): TimedValue[] {
  const { lived, untilMs } = day;
  const draw = createDraw(account.seed, 'stress', day.date);
  const worn = new Map(listWornMinutes(day).map((minute) => [minute.ms, minute]));
  const levels: TimedValue[] = [];
  for (let ms = lived.fromMs; ms + STRESS_SECONDS * 1_000 <= untilMs; ms += STRESS_SECONDS * 1_000) {
    const lot = draw.near(0, 1);
    const minute = worn.get(ms);
    const usual = isDuring(lived.beds, ms) ? 14 : isDuring(lived.episodes, ms) ? 70 : 33 + 6 * lived.condition.tension;
    const level = Math.min(100, Math.max(1, Math.round(usual + 6 * lot)));
    levels.push({ ms, value: minute === undefined ? OFF_WRIST : minute.met >= MOVING_MET ? MOVING : level });
  }
  return levels;
}

/** Sleep charges it, being awake drains it. */
function listBattery({ account }: AccountView, { lived, date }: AccountDay, levels: readonly TimedValue[]) {
  let charge = createDraw(account.seed, 'battery', date).between(30, 50);
  return levels.map(({ ms, value }) => {
    charge += isDuring(lived.beds, ms) ? 0.4 : value > 50 || value === MOVING ? -0.35 : -0.17;
    charge = Math.min(100, Math.max(5, charge));
    return { ms, value: Math.round(charge) };
  });
}
