// One <Workout> of an export with its statistics, events and metadata. Newer exports have totals in statistics, older ones in
// attributes of the workout.
import { toCatalogUnit } from '../../../../domain/metrics/units.ts';
import { MINUTE_MS } from '../../../../domain/time/durations.ts';
import { parseInstant } from '../../../../domain/time/parse-instant.ts';
import type { ImportWorkout } from '../import-sink.ts';
import { decodeText } from './decode-text.ts';
import { toCatalogUnitName } from './health-kit-types.ts';
import { toInstant } from './read-time.ts';
import type { TagAttributes } from './tag-scanner.ts';

export type WorkoutParts = {
  readonly attributes: TagAttributes;
  readonly statistics: TagAttributes[];
  readonly events: TagAttributes[];
  readonly metadata: Map<string, string>;
};

const QUANTITY = 'HKQuantityTypeIdentifier';
/** The metrics only name the unit that the field of a workout has. */
const FIELDS = {
  distance_km: ['distance', 'km'],
  active_calories: ['active_calories', 'kcal'],
  elevation_gain_m: ['elevation_gain', 'm'],
  swimming_lap_length_m: ['swimming', 'm'],
  weather_temperature_c: ['body_temperature', '°C'],
  duration_minutes: ['exercise', 'min'],
} as const;

export function readWorkout({ attributes, statistics, events, metadata }: WorkoutParts): ImportWorkout {
  const start = toInstant(attributes.startDate ?? '');
  const end = toInstant(attributes.endDate ?? '');
  const statistic = (type: string, field: 'sum' | 'average' | 'maximum') => {
    const found = statistics.find((one) => one.type === QUANTITY + type);
    return { value: found?.others[field], unit: found?.unit };
  };
  const distance = statistics.find((one) => one.type?.startsWith(`${QUANTITY}Distance`));
  const average = toNumber(statistic('HeartRate', 'average').value);
  const maximum = toNumber(statistic('HeartRate', 'maximum').value);
  const quantity = (key: string) => splitQuantity(metadata.get(key));
  const humidity = toNumber(quantity('HKWeatherHumidity').value);
  const { totalDistance, totalDistanceUnit, totalEnergyBurned, totalEnergyBurnedUnit, duration, durationUnit } =
    attributes.others;
  const energy = statistic('ActiveEnergyBurned', 'sum');
  return {
    sport_type: attributes.others.workoutActivityType ?? 'other',
    start,
    end,
    duration_minutes:
      convert('duration_minutes', { value: duration, unit: durationUnit }) ?? activeMinutes(start, end, events),
    distance_km: convert(
      'distance_km',
      distance
        ? { value: distance.others.sum, unit: distance.unit }
        : { value: totalDistance, unit: totalDistanceUnit },
    ),
    active_calories: convert(
      'active_calories',
      energy.value === undefined ? { value: totalEnergyBurned, unit: totalEnergyBurnedUnit } : energy,
    ),
    steps: toNumber(statistic('StepCount', 'sum').value),
    swimming_stroke_count: toNumber(statistic('SwimmingStrokeCount', 'sum').value),
    elevation_gain_m: convert('elevation_gain_m', quantity('HKElevationAscended')),
    avg_mets: toNumber(quantity('HKAverageMETs').value),
    weather_temperature_c: convert('weather_temperature_c', quantity('HKWeatherTemperature')),
    weather_humidity_pct: humidity === null ? null : humidity / HUMIDITY_SCALE,
    swimming_lap_length_m: convert('swimming_lap_length_m', quantity('HKLapLength')),
    ...((average !== null || maximum !== null) && { heart_rate: { avg_bpm: average, max_bpm: maximum } }),
    recording_method: metadata.get('HKWasUserEntered') === '1' ? 'manual' : 'active',
  };
}

/** "6400 %" is 64 percent. */
const HUMIDITY_SCALE = 100;

type Quantity = { readonly value: string | undefined; readonly unit: string | undefined };

function splitQuantity(text: string | undefined): Quantity {
  const [value, unit] = decodeText(text ?? '').split(' ');
  return { value: value === '' ? undefined : value, unit };
}

/** Null if the number or the unit is not known. */
function convert(field: keyof typeof FIELDS, { value, unit }: Quantity): number | null {
  const number = toNumber(value);
  if (number === null) return null;
  const [metric, wanted] = FIELDS[field];
  try {
    return toCatalogUnit(metric, number, toCatalogUnitName(metric, unit ?? wanted), wanted);
  } catch {
    return null;
  }
}

function toNumber(text: string | undefined): number | null {
  const number = text === undefined || text === '' ? Number.NaN : Number(text);
  return Number.isFinite(number) ? number : null;
}

/** Without pauses. */
function activeMinutes(start: string, end: string, events: readonly TagAttributes[]): number | null {
  let activeMs = parseInstant(end) - parseInstant(start);
  let pausedAt: number | null = null;
  for (const { type, others } of events) {
    const at = parseInstant(toInstant(others.date ?? ''));
    if (type === 'HKWorkoutEventTypePause') pausedAt ??= at;
    if (type !== 'HKWorkoutEventTypeResume' || pausedAt === null) continue;
    activeMs -= at - pausedAt;
    pausedAt = null;
  }
  return activeMs > 0 ? activeMs / MINUTE_MS : null;
}
