// The river of a day as the charts need it: times in milliseconds, and everything by quarter hour from its start. Pure.
import type { Replies } from '../../api/types.gen.ts';
import type { Points } from '../../shared/chart/decimate.ts';
import { QUARTER_MS } from '../../shared/time/durations.ts';

export type RiverReply = Replies['readRiver'];
type Band = RiverReply['metrics'][number];
type Session = {
  readonly startMs: number;
  readonly endMs: number;
  readonly device: number;
  readonly isCounted: boolean;
};

export type SleepStage = NonNullable<RiverReply['sleeps'][number]['stages']>[number]['stage'];
export type RiverSleep = Session & {
  readonly id: string;
  readonly isMain: boolean;
  readonly isOfDay: boolean;
  readonly stages: readonly { readonly stage: SleepStage; readonly startMs: number; readonly endMs: number }[] | null;
};
export type RiverWorkout = Session & { readonly id: string; readonly name: string };

type Column = readonly (number | null)[];
type BandWords = Pick<Band, 'metric' | 'name' | 'unit' | 'decimals' | 'method' | 'order'> & {
  /** The source of each quarter hour. */
  readonly sources: Column;
};
export type LevelBand = BandWords & {
  readonly kind: 'level';
  readonly devices: readonly { readonly device: number; readonly points: Points }[];
};
export type TotalBand = BandWords & {
  readonly kind: 'total';
  readonly devices: readonly { readonly device: number; readonly measured: Column; readonly counted: Column }[];
};
export type RiverBand = LevelBand | TotalBand;

export type RiverModel = {
  readonly date: string;
  readonly zone: string;
  readonly hours: number;
  readonly fromMs: number;
  readonly toMs: number;
  readonly dayStartMs: number;
  readonly quarters: number;
  readonly sleeps: readonly RiverSleep[];
  readonly workouts: readonly RiverWorkout[];
  readonly bands: readonly RiverBand[];
};

export function openRiver(reply: RiverReply): RiverModel {
  const [fromMs, toMs, dayStartMs] = [reply.from, reply.to, reply.day_start].map(Date.parse) as [
    number,
    number,
    number,
  ];
  const quarters = Math.round((toMs - fromMs) / QUARTER_MS);
  const before = Math.round((dayStartMs - fromMs) / QUARTER_MS);
  return {
    date: reply.date,
    zone: reply.zone,
    hours: reply.hours,
    fromMs,
    toMs,
    dayStartMs,
    quarters,
    sleeps: reply.sleeps.map((sleep) => openSleep(sleep, reply.date)),
    workouts: reply.workouts.map((workout) => ({
      ...openSession(workout),
      id: workout.id,
      name: workout.name ?? nameSport(workout.sport_type),
    })),
    bands: reply.metrics.map((band) => openBand(band, before)),
  };
}

function openSession({
  start,
  end,
  device,
  is_counted,
}: RiverReply['workouts'][number] | RiverReply['sleeps'][number]) {
  return { startMs: Date.parse(start), endMs: Date.parse(end), device, isCounted: is_counted };
}

function openSleep(sleep: RiverReply['sleeps'][number], date: string): RiverSleep {
  const session = openSession(sleep);
  return {
    ...session,
    id: sleep.id,
    isMain: sleep.is_main,
    isOfDay: sleep.date === date,
    stages:
      sleep.stages?.map(({ stage, offset_s, length_s }) => {
        const startMs = session.startMs + offset_s * 1_000;
        return { stage, startMs, endMs: startMs + length_s * 1_000 };
      }) ?? null,
  };
}

function nameSport(sport: string): string {
  const words = sport.replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

function openBand({ devices, sources, kind, ...words }: Band, before: number): RiverBand {
  const ofQuarters = sources.flatMap(({ device, quarters }) => new Array<number | null>(quarters).fill(device));
  if (kind === 'level')
    return {
      ...words,
      kind,
      sources: ofQuarters,
      devices: devices.flatMap(({ device, samples }) => (samples ? [{ device, points: openPoints(samples) }] : [])),
    };
  const pad = (column: Column): Column => [...new Array<null>(before).fill(null), ...column];
  return {
    ...words,
    kind,
    sources: pad(ofQuarters),
    devices: devices.flatMap(({ device, quarter_hours: columns }) =>
      columns ? [{ device, measured: pad(columns.measured), counted: pad(columns.counted) }] : [],
    ),
  };
}

function openPoints({ t0, dt, v }: { t0: number; dt: readonly number[]; v: readonly number[] }): Points {
  let second = t0;
  return {
    times: dt.map((step) => {
      second += step;
      return second * 1_000;
    }),
    values: v,
  };
}
