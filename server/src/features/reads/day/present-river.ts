// Formats the river of a day. Pure.
import { isAdditive } from '../../../domain/metrics/index.ts';
import { roundTo } from '../../../domain/round-to.ts';
import { flattenStages } from '../../../domain/sleep/index.ts';
import { formatInstant } from '../../../domain/time/calendar.ts';
import { HOUR_MS, SECOND_MS } from '../../../domain/time/durations.ts';
import type { River, RiverBand } from './read-river.ts';
import { toRuns } from './source-runs.ts';

/** More precise than a chart, without the last digits of a division. */
const QUARTER_DECIMALS = 3;

export function presentRiver({ zone, day, fromMs, toMs, sleeps, workouts, bands, available }: River) {
  return {
    date: day.date,
    zone,
    from: at(fromMs),
    to: at(toMs),
    day_start: at(day.start),
    hours: (day.end - day.start) / HOUR_MS,
    sleeps: sleeps.map((sleep) => ({
      ...presentSession(sleep),
      is_main: sleep.isMain,
      stages: presentStages(sleep.session),
    })),
    workouts: workouts.map((workout) => ({
      ...presentSession(workout),
      sport_type: workout.session.sportType,
      name: workout.session.name,
    })),
    metrics: bands.map(presentBand),
    available: available.map(({ id, displayName }) => ({ metric: id, name: displayName })),
  };
}

type AnySession = River['sleeps'][number] | River['workouts'][number];

/** A session that is a duplicate of itself is not canonical, because its provider is disabled. */
function presentSession({ id, device, session, date, duplicateOf }: AnySession) {
  return {
    id,
    device: device.number,
    start: at(session.start),
    end: at(session.end),
    date,
    is_counted: duplicateOf === null,
    copy_of: duplicateOf === id ? null : duplicateOf,
  };
}

function presentStages({ stages, start, end }: River['sleeps'][number]['session']) {
  if (stages === null) return null;
  return flattenStages(stages, start, end).map((period) => ({
    stage: period.stage,
    offset_s: (period.start - start) / SECOND_MS,
    length_s: (period.end - period.start) / SECOND_MS,
  }));
}

function presentBand({ metric, method, order, devices, sources }: RiverBand) {
  return {
    metric: metric.id,
    name: metric.displayName,
    unit: metric.unit,
    decimals: metric.decimals,
    kind: isAdditive(metric) ? 'total' : 'level',
    method,
    order,
    devices: devices.map(({ device, samples, quarterHours }) => ({
      device,
      samples,
      quarter_hours: quarterHours && presentQuarterHours(quarterHours),
    })),
    sources: toRuns(sources),
  };
}

type Columns = { readonly measured: readonly (number | null)[]; readonly counted: readonly (number | null)[] };

export function presentQuarterHours({ measured, counted }: Columns) {
  const round = (value: number | null) => (value === null ? null : roundTo(value, QUARTER_DECIMALS));
  return { measured: measured.map(round), counted: counted.map(round) };
}

function at(epochMs: number): string {
  return formatInstant(new Date(epochMs));
}
