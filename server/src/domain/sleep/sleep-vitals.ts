// What the body did during the main sleep: means weighted by how long each session lasted.
import type { HrvKind, SleepSession } from '../records/records.ts';

/** By metric: the field of a sleep that tells it. */
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

export type SleepVitals = {
  readonly vitals: Readonly<Record<string, number | null>>;
  readonly hrvKind: HrvKind | null;
};

export function averageVitals(sessions: readonly SleepSession[]): SleepVitals {
  const means = Object.entries(SLEEP_VITAL_FIELDS).map(([id, field]) => [
    id,
    averageKnown(sessions, (session) => session[field]),
  ]);
  const hrv = averageHrv(sessions);
  return {
    vitals: { ...Object.fromEntries(means), sleep_heart_rate_variability: hrv?.value ?? null },
    hrvKind: hrv?.kind ?? null,
  };
}

/** RMSSD where there is any, else SDNN: two different measures, no mean of both (gap G-91). */
function averageHrv(sessions: readonly SleepSession[]): { value: number; kind: HrvKind } | null {
  for (const kind of ['rmssd', 'sdnn'] as const) {
    const ofKind = sessions.filter((session) => session.hrvKind === kind);
    const value = averageKnown(ofKind, (session) => session.heartRateVariability);
    if (value !== null) return { value, kind };
  }
  return null;
}

function averageKnown(
  sessions: readonly SleepSession[],
  read: (session: SleepSession) => number | null,
): number | null {
  const known = sessions.flatMap((session) => {
    const value = read(session);
    return value === null ? [] : [{ value, weight: session.end - session.start }];
  });
  const [first, ...others] = known;
  if (first === undefined) return null;
  // One session needs no arithmetic, and keeps its last digit.
  if (others.length === 0) return first.value;
  const weight = known.reduce((sum, one) => sum + one.weight, 0);
  return known.reduce((sum, one) => sum + one.value * one.weight, 0) / weight;
}
