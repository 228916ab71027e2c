// One sleep out of all its records: times and stages are those of the record that is shown, so that they agree with each other;
// each vital, and each total that the shown record does not have, is from the best-ranked record that has it.

import { getMetricOrThrow, type MetricId } from '../metrics/index.ts';
import type { SleepSession } from '../records/records.ts';
import { overlapMs } from '../records/session.ts';
import { demoteFragments } from '../sessions/session-fragments.ts';
import { type ChosenSession, MIN_STAND_IN_SHARE, orderSessions, type Session } from '../sessions/sessions.ts';
import type { Zone } from '../time/day.ts';
import { MIN_COVERAGE } from './choose-sleeps.ts';
import { type FilledTotal, type FilledTotals, fillTotals } from './fill-totals.ts';
import { listNights } from './main-sleep.ts';
import { joinGroup, type SleepGroup, type SleepRecord } from './sleep-record.ts';
import type { SleepMinutes } from './sleep-totals.ts';
import { SLEEP_VITAL_FIELDS, type SleepVitalField } from './sleep-vitals.ts';

export type FilledField = SleepVitalField | FilledTotal;
/** The records of fields that are not from the shown one. */
export type SleepGivers = { readonly [Field in FilledField]?: SleepRecord };

/** `givers` and `filled` are absent where a record speaks for itself alone. */
export type DaySleep = ChosenSession<SleepSession> & {
  readonly givers?: SleepGivers;
  readonly filled?: FilledTotals['totals'];
};

type IsEnabled = (metric: MetricId, provider: string) => boolean;
type Filled<Shown> = Shown & Required<DaySleep>;

/** The sleeps of one date, by start. A record of a whole night also gives the vitals of parts that it is not a copy of. */
export function fillSleeps<Record extends SleepRecord>(
  groups: readonly SleepGroup<Record>[],
  zone: Zone,
  isEnabled?: IsEnabled,
): Filled<Record>[] {
  return listNights(groups.map(joinGroup), zone)
    .flatMap((night) =>
      night.map((part) =>
        fillSleep(
          part,
          part.copies,
          isEnabled,
          night.filter((other) => other !== part),
        ),
      ),
    )
    .sort((a, b) => a.session.start - b.session.start);
}

/**
 * `copies`: other records of the same sleep; `otherParts`: of the same night. A provider that is off for a metric fills nothing of
 * it in.
 */
export function fillSleep<Shown extends SleepRecord>(
  shown: Shown,
  copies: readonly SleepRecord[],
  isEnabled: IsEnabled = () => true,
  otherParts: readonly ChosenSession<SleepSession>[] = [],
): Filled<Shown> {
  const copiesOfNight = [...copies, ...otherParts.flatMap((part) => part.copies)];
  if (copiesOfNight.length === 0) return { ...shown, copies, givers: {}, filled: {} };
  const isPart = otherParts.length > 0;
  const pickBest = (metric: MetricId, records: readonly SleepRecord[]) => {
    const enabled = records.filter((record) => record === shown || isEnabled(metric, record.device.provider));
    return enabled.length <= 1 ? (enabled[0] ?? null) : rankFirst(metric, enabled, isPart ? shown : null);
  };
  const { totals, givers: givenTotals } = fillTotals(shown, copies, pickBest);
  const givers: { [Field in FilledField]?: SleepRecord } = { ...givenTotals };
  const session = { ...shown.session, ...toMinutes(totals) };
  const records: SleepRecord[] = [shown, ...copiesOfNight.filter((copy) => canStandIn(copy, shown))];
  for (const [metric, field] of Object.entries(SLEEP_VITAL_FIELDS) as [MetricId, SleepVitalField][]) {
    const giver = pickBest(
      metric,
      records.filter(({ session: { [field]: value } }) => value !== null),
    );
    if (giver === null || giver === shown) continue;
    Object.assign(session, { [field]: giver.session[field] });
    if (field === 'heartRateVariability') Object.assign(session, { hrvKind: giver.session.hrvKind });
    givers[field] = giver;
  }
  return { ...shown, session, copies, givers, filled: totals };
}

/** A nap or a remnant says nothing of the night. */
export function canStandIn(copy: SleepRecord, { session }: SleepRecord): boolean {
  return overlapMs(copy.session, session) >= MIN_STAND_IN_SHARE * (session.end - session.start);
}

const MINUTE_FIELDS = {
  asleep: 'asleepMinutes',
  light: 'lightMinutes',
  deep: 'deepMinutes',
  rem: 'remMinutes',
  awake: 'awakeMinutes',
  inBed: 'inBedMinutes',
} as const satisfies { readonly [Total in FilledTotal]?: keyof SleepMinutes };

function toMinutes(totals: FilledTotals['totals']): Partial<SleepMinutes> {
  const known = Object.entries(MINUTE_FIELDS).flatMap(([total, field]) => {
    const minutes = totals[total as keyof typeof MINUTE_FIELDS];
    return minutes === undefined ? [] : [[field, minutes] as const];
  });
  return Object.fromEntries(known);
}

/**
 * A fragment ranks after the longest record. Where a night is in parts, only the time of the part counts: a part is no fragment of
 * a record of the whole night.
 */
function rankFirst(metric: MetricId, records: readonly SleepRecord[], part: SleepRecord | null): SleepRecord | null {
  const { ranking } = getMetricOrThrow(metric);
  if (part === null) return orderSessions(records, { ranking, minCoverage: MIN_COVERAGE })[0] ?? null;
  const clipped = orderSessions(records, { ranking, minCoverage: null }).map((record) => ({
    record,
    session: clip(record.session, part.session),
  }));
  return demoteFragments(clipped, MIN_COVERAGE)[0]?.record ?? null;
}

/** As much of a session as lies within another. */
export function clip({ key, start, end }: Session, within: Session): Session {
  return { key, start: start > within.start ? start : within.start, end: end < within.end ? end : within.end };
}
