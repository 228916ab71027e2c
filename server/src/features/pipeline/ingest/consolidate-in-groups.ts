// Consolidates the days of a long history in groups, to hold the stored samples and values of only one group in memory.

import type { DeviceNumber } from '../../../domain/tenancy.ts';
import type { LocalDate } from '../../../domain/time/calendar.ts';
import { createYielder } from '../../../platform/event-loop.ts';
import { consolidateDays, type TouchedDays } from './consolidate-days.ts';
import type { ConsolidationContext } from './consolidation-context.ts';
import { addDates, addPairs, type DayPairs, listDatesOf } from './day-pairs.ts';

/** About a month: a few megabytes of one-minute samples per device and metric. */
const GROUP_DAYS = 31;

type Group = {
  readonly samples: Map<DeviceNumber, DayPairs>;
  readonly sleepDates: Set<LocalDate>;
  readonly workoutDates: Set<LocalDate>;
  readonly others: DayPairs;
};

/**
 * Returns the pairs whose canonical value changed, after writing them. Goes from the first day to the last, because the heart-rate zones
 * of a workout depend on earlier days.
 */
export async function consolidateInGroups(context: ConsolidationContext, touched: TouchedDays): Promise<DayPairs> {
  const { samples, days } = context;
  const changed: DayPairs = new Map();
  for (const group of await groupByDate(touched)) {
    addPairs(changed, await consolidateDays(context, group));
    await days.flush();
  }
  await samples.flush(); // last, so that every group finds the changed samples in memory
  return changed;
}

async function groupByDate(touched: TouchedDays): Promise<readonly TouchedDays[]> {
  const { samples, sleepDates, workoutDates, others } = touched;
  const dates = new Set([...sleepDates, ...workoutDates]);
  for (const pairs of [...samples.values(), others]) for (const date of listDatesOf(pairs)) dates.add(date);
  if (dates.size <= GROUP_DAYS) return dates.size === 0 ? [] : [touched];
  const indexes = new Map([...dates].sort().map((date, index) => [date, Math.floor(index / GROUP_DAYS)]));
  const groups = Array.from({ length: Math.ceil(dates.size / GROUP_DAYS) }, createGroup);
  const distribute = (some: Iterable<LocalDate>, add: (group: Group, ofGroup: LocalDate[]) => void) => {
    for (const [index, ofGroup] of Map.groupBy(some, (date) => indexes.get(date) ?? 0))
      add(groups[index] as Group, ofGroup);
  };
  const yieldIfDue = createYielder();
  for (const [device, pairs] of samples) {
    for (const [metric, some] of pairs) {
      distribute(some, (group, ofGroup) =>
        addDates(
          group.samples.getOrInsertComputed(device, () => new Map()),
          metric,
          ofGroup,
        ),
      );
      await yieldIfDue();
    }
  }
  for (const [metric, some] of others) {
    distribute(some, (group, ofGroup) => addDates(group.others, metric, ofGroup));
    await yieldIfDue();
  }
  distribute(sleepDates, ({ sleepDates: known }, ofGroup) => {
    for (const date of ofGroup) known.add(date);
  });
  distribute(workoutDates, ({ workoutDates: known }, ofGroup) => {
    for (const date of ofGroup) known.add(date);
  });
  return groups;
}

function createGroup(): Group {
  return { samples: new Map(), sleepDates: new Set(), workoutDates: new Set(), others: new Map() };
}
