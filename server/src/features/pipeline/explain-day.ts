// Why one canonical value is what it is: every device's say on it, and what became of that. Works the choice out as the
// pipeline does, and stores nothing.
import type { LocalDate } from '../../domain/calendar.ts';
import type { CandidateOutcome } from '../../domain/consolidate/index.ts';
import { consolidationKeyOf } from '../../domain/consolidation-keys.ts';
import type { DayOrigin } from '../../domain/day-notes.ts';
import { parseDeviceDayNote } from '../../domain/day-notes.ts';
import { DERIVED_METRICS } from '../../domain/derived-metrics.ts';
import { TOLD_BY_SAMPLES_OF, WORKOUT_METRICS } from '../../domain/fed-metrics.ts';
import type { Method, Metric } from '../../domain/metrics/index.ts';
import type { Transaction } from '../../platform/db/database.ts';
import { listSourceDevices, type SourceDevice } from '../devices/index.ts';
import { type DeviceSamples, describeSamples } from '../samples/index.ts';
import type { UserHandle } from '../subjects/index.ts';
import { chooseAmong, readDayFacts } from './choose-days.ts';
import { openChoosing } from './choosing-context.ts';
import { addPair, type DayPairs } from './day-pairs.ts';
import { type ExplainedNight, explainNight } from './explain-night.ts';
import { findSessions } from './own-days.ts';

export type ExplainedCandidate = CandidateOutcome & {
  readonly device: SourceDevice;
  readonly isEnabled: boolean;
  /** Its own value of the day, as it gave it. */
  readonly own: { readonly value: number; readonly unit: string; readonly origin: DayOrigin };
  readonly samples: DeviceSamples | null;
};

export type ExplainedDay = {
  readonly metric: Metric;
  readonly date: LocalDate;
  readonly span: { readonly startMs: number; readonly endMs: number };
  readonly value: number | null;
  readonly method: Method;
  readonly isOverridden: boolean;
  /** Worked out from other values of the day, and not chosen. */
  readonly isComputed: boolean;
  /** Best first. */
  readonly candidates: readonly ExplainedCandidate[];
  /** The night of the date, for metrics that come from sleeps. */
  readonly night: ExplainedNight | null;
};

export async function explainDay(
  tx: Transaction,
  user: UserHandle,
  metric: Metric,
  date: LocalDate,
): Promise<ExplainedDay> {
  const devices = await listSourceDevices(tx, user);
  const context = openChoosing(tx, user, devices);
  const pairs: DayPairs = new Map();
  addPair(pairs, metric.id, date);
  await context.days.load([date]);
  const facts = await readDayFacts(context, pairs, pairs);
  const shown = findSessions(facts, metric.id)?.get(date)?.shown.get(metric.id) ?? null;
  const { candidates, chosen } = chooseAmong(context, facts, metric, date, shown);
  const { start, end } = context.zone.dayOf(date);
  const samples = await describeSamples(tx, user, TOLD_BY_SAMPLES_OF.get(metric.id) ?? metric.id, start, end);
  return {
    metric,
    date,
    span: { startMs: start, endMs: end },
    value: context.days.chosen(metric.id, date)?.value ?? null,
    method: context.rules.methodOf(metric),
    isOverridden: (user.consolidation.metrics[consolidationKeyOf(metric) ?? '']?.method ?? null) !== null,
    isComputed:
      metric.consolidation.by === 'derived' && (candidates.length === 0 || !DERIVED_METRICS.includes(metric.id)),
    night: await explainNight(context, metric, date),
    candidates: chosen.outcomes.flatMap((told) => {
      const device = devices.find(({ id }) => id === told.device.id);
      const cell = device && context.days.own(device.number, metric.id, date);
      if (!device || !cell) return [];
      const { origin, unit } = parseDeviceDayNote(cell.note);
      return [
        {
          ...told,
          device,
          // Workouts count whether or not their provider is on.
          isEnabled:
            (origin === 'sessions' && WORKOUT_METRICS.has(metric.id)) ||
            context.rules.isEnabled(metric, device.provider),
          own: { value: cell.value, unit, origin },
          samples: samples.find(({ device: number }) => number === device.number) ?? null,
        },
      ];
    }),
  };
}
