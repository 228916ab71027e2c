// One sleep from all its records. Times and stages come from the canonical record, so that they agree with each other;
// each vital, and each total missing in the canonical record, comes from the highest-ranked record that has it.

import type { ConsolidationRules } from '../consolidate/consolidation-rules.ts';
import { compareText } from '../consolidate/ranking.ts';
import { getMetricOrThrow, type MetricId } from '../metrics/index.ts';
import type { SleepSession } from '../records/records.ts';
import { overlapMs } from '../records/session.ts';
import { demoteFragments } from '../sessions/session-fragments.ts';
import { type CanonicalSession, MIN_STAND_IN_SHARE, orderSessions, type Session } from '../sessions/sessions.ts';
import type { Zone } from '../time/day.ts';
import { MIN_FRAGMENT_COVERAGE } from './consolidate-sleeps.ts';
import { type FilledTotal, type FilledTotals, fillTotals } from './fill-totals.ts';
import { listNights } from './main-sleep.ts';
import { joinGroup, type SleepGroup, type SleepRecord } from './sleep-record.ts';
import type { SleepMinutes } from './sleep-totals.ts';
import { SLEEP_VITAL_FIELDS, type SleepVitalField } from './sleep-vitals.ts';

export type FilledField = SleepVitalField | FilledTotal;
/** The records of fields that do not come from the canonical one. */
type SleepGivers = { readonly [Field in FilledField]?: SleepRecord };

/** `givers` and `filled` are absent if the record is used alone. */
export type DaySleep = CanonicalSession<SleepSession> & {
  readonly givers?: SleepGivers;
  readonly filled?: FilledTotals['totals'];
};

type IsEnabled = ConsolidationRules['isEnabled'];
type Filled<Canonical> = Canonical & Required<DaySleep>;

/** More records of a whole night than any user has devices. Bounds the work for a night with very many parts. */
const MAX_RECORDS_OVER_PARTS = 8;

/**
 * The sleeps of one date, by start. A record of a whole night also provides the vitals of parts that it is not a
 * duplicate of.
 */
export function fillSleeps<Record extends SleepRecord>(
  groups: readonly SleepGroup<Record>[],
  zone: Zone,
  isEnabled?: IsEnabled,
): Filled<Record>[] {
  return listNights(groups.map(joinGroup), zone)
    .flatMap((night) => {
      const overParts = listRecordsOverParts(night);
      return night.map((part) => {
        const others = overParts.filter((record) => !part.duplicates.includes(record));
        return fillSleep(part, part.duplicates, isEnabled, night.length > 1 ? others : null);
      });
    })
    .sort((a, b) => a.session.start - b.session.start);
}

/**
 * Duplicates that cover several parts of a night, the longest first. Canonical sleeps are ordered by end as well as by
 * start.
 */
function listRecordsOverParts<Record extends SleepRecord>(
  night: readonly { readonly session: Session; readonly duplicates: readonly Record[] }[],
): Record[] {
  const over = night.flatMap(({ duplicates }, index) => {
    const [before, after] = [night[index - 1]?.session, night[index + 1]?.session];
    return duplicates.filter(
      ({ session }) =>
        (before !== undefined && session.start < before.end) || (after !== undefined && session.end > after.start),
    );
  });
  const lengthOf = ({ session }: Record) => session.end - session.start;
  return over
    .sort(
      (a, b) =>
        lengthOf(b) - lengthOf(a) || compareText(a.device.id, b.device.id) || compareText(a.session.key, b.session.key),
    )
    .slice(0, MAX_RECORDS_OVER_PARTS);
}

/**
 * `duplicates`: other records of the same sleep. `overParts`: records that cover several parts of its night and are
 * duplicates of other parts; null if the night has one part. A provider that is disabled for a metric does not fill it
 * in.
 */
export function fillSleep<Canonical extends SleepRecord>(
  canonical: Canonical,
  duplicates: readonly SleepRecord[],
  isEnabled: IsEnabled = () => true,
  overParts: readonly SleepRecord[] | null = null,
): Filled<Canonical> {
  const others = [...duplicates, ...(overParts ?? [])];
  if (others.length === 0) return { ...canonical, duplicates, givers: {}, filled: {} };
  const part = overParts === null ? null : canonical;
  const pickBest = (metric: MetricId, records: readonly SleepRecord[]) => {
    const configured = getMetricOrThrow(metric);
    const enabled = records.filter((record) => record === canonical || isEnabled(configured, record.device.provider));
    return enabled.length <= 1 ? (enabled[0] ?? null) : rankFirst(metric, enabled, part);
  };
  const { totals, givers: givenTotals } = fillTotals(canonical, duplicates, pickBest);
  const givers: { [Field in FilledField]?: SleepRecord } = { ...givenTotals };
  const session = { ...canonical.session, ...toMinutes(totals) };
  const records: SleepRecord[] = [canonical, ...others.filter((copy) => canStandIn(copy, canonical))];
  for (const [metric, field] of Object.entries(SLEEP_VITAL_FIELDS) as [MetricId, SleepVitalField][]) {
    const giver = pickBest(
      metric,
      records.filter(({ session: { [field]: value } }) => value !== null),
    );
    if (giver === null || giver === canonical) continue;
    Object.assign(session, { [field]: giver.session[field] });
    if (field === 'heartRateVariability') Object.assign(session, { hrvKind: giver.session.hrvKind });
    givers[field] = giver;
  }
  return { ...canonical, session, duplicates, givers, filled: totals };
}

/** A nap or a remnant does not describe the night. */
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
 * A fragment ranks after the longest record. If a night has parts, only the time of the part counts: a part is not a
 * fragment of a record of the whole night.
 */
function rankFirst(metric: MetricId, records: readonly SleepRecord[], part: SleepRecord | null): SleepRecord | null {
  const { ranking } = getMetricOrThrow(metric);
  if (part === null) return orderSessions(records, { ranking, minCoverage: MIN_FRAGMENT_COVERAGE })[0] ?? null;
  const clipped = orderSessions(records, { ranking, minCoverage: null }).map((record) => ({
    record,
    session: clip(record.session, part.session),
  }));
  return demoteFragments(clipped, MIN_FRAGMENT_COVERAGE)[0]?.record ?? null;
}

/** The part of a session that is within another. */
export function clip({ key, start, end }: Session, within: Session): Session {
  return { key, start: start > within.start ? start : within.start, end: end < within.end ? end : within.end };
}
