// The history for the golden bodies: a ring and a watch around the night of 2026 in which Berlin's clocks go forward.
import type { TestPhone } from '../support/test-phone.ts';

export const FIXTURE_NOW = new Date('2026-03-31T10:00:00Z');
export const PERSON = {
  external_ref: 'golden',
  timezone: 'Europe/Berlin',
  profile: { birth_date: '1990-05-17', max_heart_rate: 185 },
};

const WATCH = { provider: 'apple_health', id: 'watch', name: 'Watch', model: 'Watch7,1', os_version: '26.3' };
const RING = { provider: 'apple_health', id: 'ring', name: 'Ring', device_class: 'ring' };

export async function uploadFixture(phone: TestPhone): Promise<void> {
  await phone.upload(FROM_WATCH);
  await phone.upload(FROM_RING);
  await phone.upload(CORRECTIONS);
}

const interval = (metric: string, start: string, end: string, value: number, unit?: string) => ({
  metric,
  start,
  end,
  value,
  ...(unit && { unit }),
});
const moment = (metric: string, start: string, value: number, unit?: string) => ({
  metric,
  start,
  value,
  ...(unit && { unit }),
});

const RUN = { start: '2026-03-28T17:00:00+01:00', end: '2026-03-28T17:12:00+01:00' };
/** A sample every 30 s, rising every minute. */
const RUN_TRACE = Array.from({ length: 24 }, (_, index) => ({
  timestamp: new Date(Date.parse(RUN.start) + index * 30_000).toISOString(),
  bpm: 118 + index * 2.5,
}));

const FROM_WATCH = {
  source: WATCH,
  timezone: 'Europe/Berlin',
  samples: [
    interval('steps', '2026-03-28T09:00:00+01:00', '2026-03-28T09:15:00+01:00', 1_200),
    interval('steps', '2026-03-28T17:00:00+01:00', '2026-03-28T17:12:00+01:00', 1_980),
    // Over midnight, half of it on each day.
    interval('steps', '2026-03-28T23:50:00+01:00', '2026-03-29T00:10:00+01:00', 60),
    interval('steps', '2026-03-29T10:00:00+02:00', '2026-03-29T10:10:00+02:00', 800),
    interval('active_calories', '2026-03-28T17:00:00+01:00', '2026-03-28T17:12:00+01:00', 627.6, 'kJ'),
    interval('active_calories', '2026-03-29T10:00:00+02:00', '2026-03-29T10:10:00+02:00', 41.5),
    moment('heart_rate', '2026-03-28T09:05:00+01:00', 96),
    moment('heart_rate', '2026-03-28T09:20:00+01:00', 71),
    // The last before the clocks go forward, and the first after.
    moment('heart_rate', '2026-03-29T01:59:50+01:00', 49),
    moment('heart_rate', '2026-03-29T03:00:10+02:00', 50.5),
    moment('blood_oxygen', '2026-03-29T04:00:00+02:00', 0.953, 'fraction'),
    moment('weight', '2026-03-28T07:30:00+01:00', 160.5, 'lb'),
    moment('weight', '2026-03-29T08:30:00+02:00', 72.4),
  ],
  daily: [
    ...['23', '24', '25', '26', '27', '28'].map((day, index) => ({
      date: `2026-03-${day}`,
      metric: 'resting_heart_rate',
      value: 52 + (index % 2),
    })),
    { date: '2026-03-28', metric: 'resting_energy', value: 1_650 },
    { date: '2026-03-30', metric: 'steps', value: 6_543, recording_method: 'manual' },
  ],
  sleep: [
    {
      id: 'w-1',
      start: '2026-03-28T22:50:00+01:00',
      end: '2026-03-29T07:20:00+02:00',
      stages: [
        { stage: 'awake', start: '2026-03-28T22:50:00+01:00', end: '2026-03-28T23:05:00+01:00' },
        { stage: 'light', start: '2026-03-28T23:05:00+01:00', end: '2026-03-29T01:30:00+01:00' },
        { stage: 'deep', start: '2026-03-29T01:30:00+01:00', end: '2026-03-29T03:30:00+02:00' },
        { stage: 'rem', start: '2026-03-29T03:30:00+02:00', end: '2026-03-29T07:20:00+02:00' },
      ],
    },
    // The battery died: the ring's night is canonical.
    { id: 'w-2', start: '2026-03-29T22:40:00+02:00', end: '2026-03-30T01:30:00+02:00', asleep_minutes: 160 },
  ],
  workouts: [
    {
      id: 'run',
      sport_type: 'running',
      ...RUN,
      distance_km: 2.4,
      active_calories: 150,
      steps: 1_980,
      elevation_gain_m: 12,
      heart_rate: { samples: RUN_TRACE },
    },
    {
      sport_type: 'swimming',
      start: '2026-03-30T18:00:00+02:00',
      end: '2026-03-30T18:45:00+02:00',
      name: 'Lanes',
      duration_minutes: 40,
      distance_km: 1.5,
      swimming_stroke_count: 900,
      swimming_lap_length_m: 25,
      heart_rate: { avg_bpm: 131, max_bpm: 152 },
    },
  ],
};

const FROM_RING = {
  source: RING,
  samples: [
    interval('steps', '2026-03-28T09:00:00+01:00', '2026-03-28T09:15:00+01:00', 1_150),
    interval('steps', '2026-03-28T12:00:00+01:00', '2026-03-28T12:30:00+01:00', 900),
    moment('heart_rate', '2026-03-28T09:10:00+01:00', 90),
    moment('heart_rate', '2026-03-29T04:40:00+02:00', 47),
    moment('blood_oxygen', '2026-03-29T04:10:00+02:00', 97),
    moment('body_temperature', '2026-03-29T07:30:00+02:00', 98.06, '°F'),
  ],
  sleep: [
    {
      id: 'r-1',
      start: '2026-03-28T22:58:00+01:00',
      end: '2026-03-29T07:16:00+02:00',
      asleep_minutes: 401.6,
      deep_minutes: 81.2,
      light_minutes: 220.4,
      rem_minutes: 100,
      awake_minutes: 36.4,
      in_bed_minutes: 438,
      heart_rate: 48.46,
      heart_rate_variability: 71.4,
      hrv_kind: 'rmssd',
      respiratory_rate: 13.75,
      blood_oxygen: 96.2,
      skin_temperature: 34.61,
    },
    { id: 'r-2', start: '2026-03-29T22:35:00+02:00', end: '2026-03-30T06:35:00+02:00', asleep_minutes: 430 },
    { id: 'r-nap', start: '2026-03-29T14:00:00+02:00', end: '2026-03-29T14:25:00+02:00', asleep_minutes: 20 },
    { id: 'r-mistake', start: '2026-03-30T09:00:00+02:00', end: '2026-03-30T09:30:00+02:00' },
  ],
  workouts: [
    {
      id: 'run',
      sport_type: 'running',
      start: '2026-03-28T17:01:00+01:00',
      end: '2026-03-28T17:13:00+01:00',
      active_calories: 139,
    },
  ],
};

const CORRECTIONS = {
  source: RING,
  samples: [moment('heart_rate', '2026-03-28T09:10:00+01:00', 92)],
  deleted: [
    { kind: 'sleep', id: 'r-mistake' },
    { kind: 'samples', metric: 'heart_rate', start: '2026-03-29T04:40:00+02:00', end: '2026-03-29T04:40:00+02:00' },
  ],
};
