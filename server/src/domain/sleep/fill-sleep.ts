// One sleep out of all its records: times, stages and minutes are those of the record that is shown, so that they agree with each
// other; each vital, and time in bed where the shown record has none, is from the best-ranked record that has it.

import { getMetricOrThrow, type MetricId } from '../metrics/index.ts';
import type { SleepSession } from '../records/records.ts';
import { overlapMs } from '../records/session.ts';
import { MIN_STAND_IN_SHARE, orderSessions, type SessionCandidate } from '../sessions/sessions.ts';
import { MIN_COVERAGE } from './choose-sleeps.ts';
import { totalSleep } from './sleep-totals.ts';
import { SLEEP_VITAL_FIELDS, type SleepVitalField } from './sleep-vitals.ts';

export type SleepRecord = SessionCandidate<SleepSession>;
export type FilledField = SleepVitalField | 'inBedMinutes';
/** The records of fields that are not from the shown one. */
export type SleepGivers = { readonly [Field in FilledField]?: SleepRecord };

/** `givers` is absent where a record speaks for itself alone. */
export type DaySleep = SleepRecord & { readonly givers?: SleepGivers };

type IsEnabled = (metric: MetricId, provider: string) => boolean;

/** `copies`: other records of the same sleep. A provider that is off for a metric fills nothing of it in. */
export function fillSleep<Shown extends SleepRecord>(
  shown: Shown,
  copies: readonly SleepRecord[],
  isEnabled: IsEnabled = () => true,
): Shown & { readonly givers: SleepGivers } {
  const givers: { [Field in FilledField]?: SleepRecord } = {};
  const session: { -readonly [Field in keyof SleepSession]: SleepSession[Field] } = { ...shown.session };
  if (copies.length === 0) return { ...shown, givers };
  const records: SleepRecord[] = [shown, ...copies.filter((copy) => canStandIn(copy, shown))];
  for (const [metric, field] of Object.entries(SLEEP_VITAL_FIELDS) as [MetricId, SleepVitalField][]) {
    const giver = pickBest(
      records.filter(({ session: { [field]: value } }) => value !== null),
      metric,
      shown,
      isEnabled,
    );
    if (giver === null || giver === shown) continue;
    session[field] = giver.session[field];
    if (field === 'heartRateVariability') session.hrvKind = giver.session.hrvKind;
    givers[field] = giver;
  }
  const inBed = findTimeInBed(shown, records, isEnabled);
  if (inBed !== null) {
    session.inBedMinutes = totalSleep(inBed.session).inBed;
    givers.inBedMinutes = inBed;
  }
  return { ...shown, session, givers };
}

/** A nap or a remnant tells nothing of the night. */
export function canStandIn(copy: SleepRecord, shown: SleepRecord): boolean {
  return covers(copy, shown, MIN_STAND_IN_SHARE);
}

function covers(copy: SleepRecord, { session }: SleepRecord, share: number): boolean {
  return overlapMs(copy.session, session) >= share * (session.end - session.start);
}

const TIME_IN_BED = 'time_in_bed' as MetricId;

/** Null: the shown record has its own, or no other is of the whole night and fits its minutes asleep. */
function findTimeInBed(shown: SleepRecord, records: readonly SleepRecord[], isEnabled: IsEnabled): SleepRecord | null {
  const { inBed, asleep } = totalSleep(shown.session);
  if (inBed !== null) return null;
  const fitting = records.filter((record) => {
    const minutes = totalSleep(record.session).inBed;
    return minutes !== null && minutes >= (asleep ?? 0) && covers(record, shown, MIN_COVERAGE);
  });
  return pickBest(fitting, TIME_IN_BED, shown, isEnabled);
}

function pickBest(
  records: readonly SleepRecord[],
  metric: MetricId,
  shown: SleepRecord,
  isEnabled: IsEnabled,
): SleepRecord | null {
  const enabled = records.filter((record) => record === shown || isEnabled(metric, record.device.provider));
  if (enabled.length <= 1) return enabled[0] ?? null;
  const { ranking } = getMetricOrThrow(metric);
  return orderSessions(enabled, { ranking, minCoverage: MIN_COVERAGE })[0] ?? null;
}
