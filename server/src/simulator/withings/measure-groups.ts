// Groups of measures: one for each measurement. A value is an integer and a power of ten.

import { createDraw } from '../../domain/sandbox/index.ts';
import { addDays } from '../../domain/time/calendar.ts';
import { HOUR_MS } from '../../domain/time/durations.ts';
import type { AccountDay, AccountView } from '../account-view.ts';
import { findCuffReading, findTemperature, findWeighing, measureSometimes } from '../home-measurements.ts';
import { bodyMeasures, type Measure, measure } from './body-measures.ts';
import { DEVICES, type DeviceName, deviceIdOf, numberOf } from './names.ts';
import { toSeconds } from './rows.ts';

export type MeasureGroup = {
  readonly grpid: number;
  readonly date: number;
  readonly modified: number;
  readonly category: 1 | 2;
  readonly measures: readonly Measure[];
  /** The subscription category of its webhooks. Null: none. */
  readonly appli: '1' | '2' | '4' | null;
} & Readonly<Record<string, unknown>>;

/** `attrib` */
const SURE = 0;
const AMBIGUOUS = 1;
const AT_SIGN_UP = 4;

export function listGroups(view: AccountView, day: AccountDay): MeasureGroup[] {
  const make = (device: DeviceName, reported: Reported | null) =>
    reported === null ? [] : [writeGroup(view, device, reported)];
  const weighing = findWeighing(view, day);
  const cuff = findCuffReading(view, day);
  const temperature = findTemperature(view, day);
  return [
    ...make('scale', weighing && { ms: weighing.ms, appli: '1', measures: bodyMeasures(view, weighing) }),
    ...make('scale', findGuest(view, day)),
    ...make('cuff', cuff && { ms: cuff.ms, appli: '4', measures: cuffMeasures(cuff) }),
    ...make(
      'thermometer',
      temperature && {
        ms: temperature.ms,
        appli: '2',
        measures: [measure(71, temperature.bodyC, -3), measure(73, temperature.skinC, -3)],
      },
    ),
    ...make('watch', findOxygen(view, day)),
    ...day.series('vo2_max').flatMap(({ startMs, value }) => {
      return make('watch', { ms: startMs, appli: null, measures: [measure(123, value, -1)] });
    }),
    ...(day.date === addDays(view.firstDate, 1) ? signUp(view, day) : []),
  ];
}

type Reported = Pick<MeasureGroup, 'appli' | 'measures'> & {
  readonly ms: number;
  readonly attrib?: number;
  readonly category?: 1 | 2;
};

function writeGroup({ account }: AccountView, device: DeviceName | null, reported: Reported): MeasureGroup {
  const { ms, appli, measures, attrib = SURE, category = 1 } = reported;
  const date = toSeconds(ms);
  return {
    grpid: numberOf(account.seed, 'group', `${date}/${attrib}/${category}`),
    attrib,
    date,
    created: date + 20,
    modified: date + 20,
    category,
    ...(device === null
      ? { deviceid: null, hash_deviceid: null, modelid: null, model: null }
      : { ...deviceIdOf(account.seed, device), modelid: DEVICES[device].modelid, model: DEVICES[device].model }),
    timezone: account.zone.name,
    comment: null,
    measures,
    appli,
  };
}

function cuffMeasures({ systolic, diastolic, pulseBpm }: { systolic: number; diastolic: number; pulseBpm: number }) {
  return [measure(9, diastolic, 0), measure(10, systolic, 0), measure(11, pulseBpm, 0)];
}

/** An occasional guest on the scale, attributed to the user as ambiguous. */
function findGuest(view: AccountView, day: AccountDay): Reported | null {
  return measureSometimes(view, day, { name: 'guest', chance: 0.15, hour: 17 }, (draw, ms) => {
    const kg = Math.round(view.account.person.weightKg * draw.between(0.85, 0.92) * 20) / 20;
    return { ms, appli: '1', attrib: AMBIGUOUS, measures: [measure(1, kg, -3)] };
  });
}

/** A finger on the watch. */
function findOxygen(view: AccountView, day: AccountDay): Reported | null {
  return measureSometimes(view, day, { name: 'finger', chance: 0.25, hour: 10 }, (draw, ms) => {
    const percent = Math.min(100, Math.round(draw.near(day.lived.condition.oxygenPct + 0.5, 0.6)));
    return { ms, appli: '4', measures: [measure(54, percent, 0)] };
  });
}

/** Manual entries at sign-up, and the goal weight, which is not a measurement. */
function signUp(view: AccountView, { lived }: AccountDay): MeasureGroup[] {
  const { heightCm, weightKg, seed } = view.account.person;
  const ms = lived.fromMs + 13 * HOUR_MS;
  const goal = Math.round(weightKg * createDraw(seed, 'goal').between(0.9, 0.97));
  return [
    writeGroup(view, null, { ms, appli: null, attrib: AT_SIGN_UP, measures: [measure(4, heightCm / 100, -2)] }),
    writeGroup(view, null, { ms, appli: null, attrib: AT_SIGN_UP, category: 2, measures: [measure(1, goal, -3)] }),
  ];
}
