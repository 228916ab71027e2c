// Vitals during the main sleep: means weighted by the duration of each part.
import type { HrvKind, SleepSession } from '../records/records.ts';
import type { DeviceId } from '../tenancy.ts';

/** The field of a sleep that provides each metric. */
export const SLEEP_VITAL_FIELDS = {
  sleep_heart_rate: 'heartRate',
  sleep_heart_rate_variability: 'heartRateVariability',
  sleep_respiratory_rate: 'respiratoryRate',
  sleep_blood_oxygen: 'bloodOxygen',
  sleep_body_temperature: 'bodyTemperature',
  sleep_skin_temperature: 'skinTemperature',
  sleep_wrist_temperature: 'wristTemperature',
} as const satisfies Record<string, keyof SleepSession>;
export type SleepVitalField = (typeof SLEEP_VITAL_FIELDS)[keyof typeof SLEEP_VITAL_FIELDS];

type SleepVitals = {
  readonly vitals: Readonly<Record<string, number | null>>;
  readonly hrvKind: HrvKind | null;
};

type VitalRecord = { readonly device: { readonly id: DeviceId }; readonly session: SleepSession };
/** A sleep with the other records that provide some of its values. */
type Sleep = VitalRecord & { readonly givers?: { readonly [Field in SleepVitalField]?: VitalRecord } };

export function averageVitals(sleeps: readonly Sleep[]): SleepVitals {
  const means = Object.entries(SLEEP_VITAL_FIELDS).map(([id, field]) => [id, averageKnown(sleeps, field)]);
  const hrv = averageHrv(sleeps);
  return {
    vitals: { ...Object.fromEntries(means), sleep_heart_rate_variability: hrv?.value ?? null },
    hrvKind: hrv?.kind ?? null,
  };
}

/** Each value once, weighted by the time of all parts of the night that it describes. */
export function weighVital(
  sleeps: readonly Sleep[],
  field: SleepVitalField,
): { readonly giver: VitalRecord; readonly value: number; readonly weight: number }[] {
  const known = sleeps.filter(({ session }) => session[field] !== null);
  return [...Map.groupBy(known, (sleep) => sleep.givers?.[field] ?? sleep)].map(([giver, parts]) => ({
    giver,
    value: parts[0]?.session[field] as number,
    weight: parts.reduce((sum, { session }) => sum + (session.end - session.start), 0),
  }));
}

/** RMSSD if there is any, else SDNN: two different measures are never averaged (gap G-91). */
function averageHrv(sleeps: readonly Sleep[]): { value: number; kind: HrvKind } | null {
  for (const kind of ['rmssd', 'sdnn'] as const) {
    const ofKind = sleeps.filter(({ session }) => session.hrvKind === kind);
    const value = averageKnown(ofKind, 'heartRateVariability');
    if (value !== null) return { value, kind };
  }
  return null;
}

function averageKnown(sleeps: readonly Sleep[], field: SleepVitalField): number | null {
  const known = weighVital(sleeps, field);
  const [first, ...others] = known;
  if (first === undefined) return null;
  // A single value keeps its last digit.
  if (others.length === 0) return first.value;
  const weight = known.reduce((sum, one) => sum + one.weight, 0);
  return known.reduce((sum, one) => sum + one.value * one.weight, 0) / weight;
}
