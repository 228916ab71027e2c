// The days before a date, as a strip: the counts, and the half hours in which each device measured something.

import type { MetricId } from '../../../domain/metrics/index.ts';
import { monthOf } from '../../../domain/packed/month-sheets/index.ts';
import type { DeviceNumber } from '../../../domain/tenancy.ts';
import { addDays, dayNumberOf, type LocalDate } from '../../../domain/time/calendar.ts';
import { createZone, type Day } from '../../../domain/time/day.ts';
import type { Queryable } from '../../../platform/db/database.ts';
import { collectDayColumn, readDailyMonths } from '../../store/daily-store/index.ts';
import { readSamples, type SamplesOfDevices } from '../../store/samples/index.ts';
import type { UserHandle } from '../../tenancy/user-core/index.ts';
import { markCoverage } from './coverage.ts';

export type DayOfWeek = {
  readonly date: LocalDate;
  readonly steps: number | null;
  readonly devices: readonly { readonly device: DeviceNumber; readonly coverage: string }[];
};

const STEPS = 'steps' as MetricId;
/** Measured by nearly every device for as long as it is worn. */
const COVERING = ['heart_rate', 'steps'] as MetricId[];
const DAYS = 7;

/** The date and the six days before it, oldest first. */
export async function readWeek(db: Queryable, user: UserHandle, date: LocalDate): Promise<DayOfWeek[]> {
  const zone = createZone(user.timezone);
  const days = Array.from({ length: DAYS }, (_, index) => zone.dayOf(addDays(date, index - DAYS + 1)));
  const [first, last] = [days[0] as Day, days.at(-1) as Day];
  const interval = { fromMs: first.start, toMs: last.end };
  const [months, samples] = await Promise.all([
    readDailyMonths(db, user, monthOf(first.date), monthOf(last.date)),
    readSamples(
      db,
      user,
      COVERING.map((metric) => ({ metric, ...interval })),
    ),
  ]);
  const steps = collectDayColumn(months, STEPS);
  return days.map((day) => ({
    date: day.date,
    steps: steps(dayNumberOf(day.date)),
    devices: coverDay(samples, day),
  }));
}

function coverDay(samples: SamplesOfDevices, day: Day): DayOfWeek['devices'] {
  const numbers = new Set(COVERING.flatMap((metric) => [...(samples.get(metric)?.keys() ?? [])]));
  return [...numbers]
    .sort((a, b) => a - b)
    .flatMap((device) => {
      const columns = COVERING.flatMap((metric) => samples.get(metric)?.get(device) ?? []);
      const coverage = markCoverage(columns, day);
      return coverage === null ? [] : [{ device, coverage }];
    });
}
