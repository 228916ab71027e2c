// The series of an activity, as long as the heart rate that the watch recorded.
import type { Workout } from '../../domain/records/records.ts';
import type { AccountView } from '../account-view.ts';
import { placeAfter } from '../garmin/course.ts';

/** By name, in the order of the watch's measurements. */
type Series = Readonly<Record<string, readonly unknown[]>>;

/** Only those that were requested, and those that the sport has. `time` is always there. */
export function writeStreams(view: AccountView, workout: Workout, keys: readonly string[]) {
  const wanted = Object.entries(listSeries(view, workout)).filter(([name]) => name === 'time' || keys.includes(name));
  return Object.fromEntries(
    wanted.map(([name, data]) => [name, { data, series_type: 'time', original_size: data.length, resolution: 'high' }]),
  );
}

function listSeries({ account }: AccountView, workout: Workout): Series {
  const { start, end, distanceKm, sportType } = workout;
  const trace = workout.heartRateSamples ?? [];
  const passed = trace.map(({ time }) => Math.round((time - start) / 1_000));
  const each = (write: (seconds: number) => unknown) => passed.map(write);
  const speed = ((distanceKm ?? 0) * 1_000_000) / (end - start);
  const metres = (seconds: number) => speed * seconds;
  const watts = (perKg: number) => each((seconds) => Math.round(perKg * account.person.weightKg * waver(seconds)));
  const heart = { time: passed, heartrate: trace.map(({ bpm }) => bpm) };
  if (distanceKm === null) return heart;
  const way = { ...heart, velocity_smooth: each((seconds) => Math.round(1_000 * speed * waver(seconds)) / 1_000) };
  if (sportType === 'pool_swimming') return way;
  const outdoors = {
    ...way,
    latlng: each((seconds) => {
      const { latitude, longitude } = placeAfter(metres(seconds));
      return [Math.round(latitude * 1e6) / 1e6, Math.round(longitude * 1e6) / 1e6];
    }),
    altitude: each((seconds) => Math.round(10 * placeAfter(metres(seconds)).elevationMetres) / 10),
  };
  if (sportType === 'running') return { ...outdoors, cadence: each(() => 82), watts: watts(3.4) };
  if (sportType === 'cycling') return { ...outdoors, cadence: each(() => 84), watts: watts(2.3) };
  return outdoors;
}

/** Varies the pace. */
function waver(seconds: number): number {
  return 1 + 0.06 * Math.sin(seconds / 41);
}
