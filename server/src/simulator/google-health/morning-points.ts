// Daily values from the night, and VO2 max from a run.
import type { SleepSession } from '../../domain/records/records.ts';
import type { AccountDay, AccountView } from '../account-view.ts';
import { isNight } from '../record-edits.ts';
import type { DataPoint } from './data-point.ts';

const USUAL_SKIN_C = 34.6;

export function listResting(_view: AccountView, day: AccountDay): DataPoint[] {
  const [resting] = day.series('resting_heart_rate');
  return ofNight(day, () => (resting === undefined ? null : { beatsPerMinute: String(resting.value) }));
}

export function listDailyVariability(_view: AccountView, day: AccountDay): DataPoint[] {
  return ofNight(day, ({ heartRateVariability: rmssd, heartRate }) =>
    rmssd === null
      ? null
      : {
          averageHeartRateVariabilityMilliseconds: rmssd,
          deepSleepRootMeanSquareOfSuccessiveDifferencesMilliseconds: toTenth(1.08 * rmssd),
          nonRemHeartRateBeatsPerMinute: String(Math.round(heartRate ?? 0)),
        },
  );
}

export function listDailyOxygen(_view: AccountView, day: AccountDay): DataPoint[] {
  return ofNight(day, ({ bloodOxygen: percent }) =>
    percent === null
      ? null
      : {
          averagePercentage: percent,
          lowerBoundPercentage: toTenth(percent - 2.4),
          upperBoundPercentage: toTenth(Math.min(100, percent + 2.1)),
        },
  );
}

export function listDailyBreaths(_view: AccountView, day: AccountDay): DataPoint[] {
  return ofNight(day, ({ respiratoryRate }) =>
    respiratoryRate === null ? null : { breathsPerMinute: respiratoryRate },
  );
}

/** For each sleep, once it has ended. */
export function listSleepBreaths(_view: AccountView, { date, sleeps }: AccountDay): DataPoint[] {
  return sleeps.flatMap(({ end, respiratoryRate }): DataPoint[] => {
    if (respiratoryRate === null) return [];
    const statistics = (breathsPerMinute: number) => ({ breathsPerMinute, standardDeviation: 1, signalToNoise: 3.8 });
    const fields = {
      deepSleepStats: statistics(toTenth(0.96 * respiratoryRate)),
      lightSleepStats: statistics(toTenth(1.01 * respiratoryRate)),
      remSleepStats: statistics(toTenth(1.06 * respiratoryRate)),
      fullSleepStats: statistics(respiratoryRate),
    };
    return [{ startMs: end, endMs: end, date, method: 'DERIVED', fields }];
  });
}

export function listSleepTemperature(_view: AccountView, day: AccountDay): DataPoint[] {
  return ofNight(day, () => ({
    nightlyTemperatureCelsius: toHundredth(USUAL_SKIN_C + day.lived.condition.temperatureDeviationC),
    baselineTemperatureCelsius: USUAL_SKIN_C,
    relativeNightlyStddev30dCelsius: 0.21,
  }));
}

export function listCapacity(_view: AccountView, day: AccountDay): DataPoint[] {
  const last = day.series('vo2_max').at(-1);
  return last === undefined ? [] : [ofDay(day, { vo2Max: last.value, cardioFitnessLevel: 'GOOD', estimated: false })];
}

function ofNight(day: AccountDay, write: (night: SleepSession) => DataPoint['fields'] | null): DataPoint[] {
  const night = day.sleeps.find(isNight);
  const fields = night === undefined ? null : write(night);
  return fields === null ? [] : [ofDay(day, fields)];
}

function ofDay({ date, lived }: AccountDay, fields: DataPoint['fields']): DataPoint {
  return { startMs: lived.fromMs, endMs: lived.toMs, date, method: 'DERIVED', fields };
}

function toTenth(value: number): number {
  return Math.round(value * 10) / 10;
}

function toHundredth(value: number): number {
  return Math.round(value * 100) / 100;
}
