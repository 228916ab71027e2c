// The scenarios of sandbox users: which days they change, and how.

import { ORDINARY_DAY } from '../../../domain/sandbox/index.ts';
import { addDays, type DateRange, type LocalDate } from '../../../domain/time/calendar.ts';
import type { WriteStory } from './person.ts';

export const SCENARIOS = ['two-devices', 'gap', 'travel', 'illness', 'late-data'] as const;
export type Scenario = (typeof SCENARIOS)[number];

export type WrittenStory = {
  /** One sentence per change. */
  readonly did: readonly string[];
  readonly from: LocalDate;
  readonly to: LocalDate;
  /** API calls that show the result. */
  readonly lookAt: readonly string[];
};

/** The severity per day. */
const ILLNESS = [0.55, 1, 0.8, 0.45] as const;
export const ILLNESS_DAYS = ILLNESS.length;
export const GAP_DAYS = 3;
export const TRAVEL_DAYS = 3;
export const LATE_BY_DAYS = 3;

export const describeRun: WriteStory = () => ({ ...ORDINARY_DAY, hasSharedRun: true });
export const describeGap: WriteStory = () => ({ ...ORDINARY_DAY, isRingOff: true, isWatchOff: true });

export function describeIllness(first: LocalDate): WriteStory {
  const byDate = new Map(ILLNESS.map((illness, days) => [addDays(first, days), illness]));
  return (date) => ({ ...ORDINARY_DAY, illness: byDate.get(date) ?? 0 });
}

export function describeStory(
  name: Scenario,
  days: DateRange,
  destination: string | null,
): Omit<WrittenStory, 'from' | 'to'> {
  const { from, to } = days;
  const range = `start_date=${from}&end_date=${to}`;
  const scores = `/scores/history?${range}`;
  switch (name) {
    case 'two-devices':
      return {
        did: [
          `${to}: a run in the evening that the watch and an app on the phone both recorded.`,
          'Both also counted its steps, although there was only one run.',
        ],
        lookAt: [
          `/workouts?${range}&include_sources=true`,
          `/daily?${range}&metrics=steps,distance,exercise&include_sources=true`,
          `/daily/explain?metric=steps&date=${to}`,
        ],
      };
    case 'gap':
      return {
        did: [`${from} to ${to}: neither the ring nor the watch was worn. Their data of these days was deleted.`],
        lookAt: [`/daily?${range}&include_sources=true`, `/sleep?${range}`, scores],
      };
    case 'travel':
      return {
        did: [
          `${from}: a long flight to the time zone ${destination}; from then on the person lives by that time.`,
          `The phone reports ${destination}. The profile keeps its time zone, so nights appear at unusual hours.`,
          `To show the days in the new time zone, PATCH the user with {"timezone": "${destination}"}.`,
        ],
        lookAt: [`/sleep?${range}`, `/daily?${range}&metrics=sleep_start,sleep_end,steps`, scores],
      };
    case 'illness':
      return {
        did: [
          `${from} to ${to}: a fever. Resting heart rate, breathing and skin temperature are up, heart rate variability is down.`,
        ],
        lookAt: [
          `/daily?${range}&metrics=resting_heart_rate,sleep_heart_rate_variability,sleep_respiratory_rate,sleep_temperature_deviation`,
          scores,
          `/scores/explain?type=recovery_score&date=${to}`,
        ],
      };
    case 'late-data':
      return {
        did: [
          `${from}: the night and a run were deleted, as if the ring and the watch had not synced.`,
          `Then both arrived ${LATE_BY_DAYS} days late, and the scores of that day and the following days were recomputed.`,
        ],
        lookAt: [`/sleep?${range}`, `/workouts?${range}`, scores],
      };
  }
}
