// Quarter hours, each with one summary for activity and one for the rest.
import { roundTo } from '../../domain/round-to.ts';
import { MINUTE_MS } from '../../domain/time/durations.ts';
import type { AccountDay, AccountView, Point } from '../account-view.ts';
import { activityTypeOf } from './activity-types.ts';
import { makeSummary, type Summary, sumOf, timesOf } from './summary.ts';
import { countMoves, isInWheelchair } from './wheelchair.ts';
import { listWornMinutes } from './worn-minutes.ts';

const EPOCH_MS = 15 * MINUTE_MS;
const SLOT_SECONDS = 900;

export function listEpochs(view: AccountView, day: AccountDay): Summary[] {
  const minutes = Map.groupBy(listWornMinutes(day), ({ ms }) => Math.floor(ms / EPOCH_MS) * EPOCH_MS);
  const at = (metric: string) => new Map(day.series(metric).map((point: Point) => [point.startMs, point.value]));
  const [steps, km, kcal] = [at('steps'), at('distance'), at('active_calories')];
  return [...minutes].flatMap(([slot, worn]) => {
    if (slot < day.lived.fromMs || slot + EPOCH_MS > day.untilMs) return [];
    const active = worn.filter((minute) => minute.kcal > 0);
    const activeSeconds = Math.round((active.length / worn.length) * SLOT_SECONDS);
    const moved = {
      activeKilocalories: Math.round(kcal.get(slot) ?? 0),
      ...countMoves(view, steps.get(slot) ?? 0, roundTo((km.get(slot) ?? 0) * 1_000, 2)),
    };
    const activityType = typeAt(view, day, slot);
    const still = { activityType: 'SEDENTARY', seconds: SLOT_SECONDS - activeSeconds, met: MET_STILL, moved: STILL };
    const met = sumOf(active, (minute) => minute.met) / active.length;
    return [
      ...(active.length > 0 ? [{ activityType, seconds: activeSeconds, met, moved }] : []),
      ...(activeSeconds < SLOT_SECONDS ? [still] : []),
    ].map((part) => writeEpoch(view, slot, part));
  });
}

const MET_STILL = 1;
const STILL = { activeKilocalories: 0, steps: 0, distanceInMeters: 0 };

type EpochPart = {
  readonly activityType: string;
  readonly seconds: number;
  readonly met: number;
  readonly moved: Readonly<Record<string, number>>;
};

function writeEpoch(view: AccountView, slot: number, { activityType, seconds, met, moved }: EpochPart): Summary {
  const write = () => ({
    activityType,
    ...moved,
    ...timesOf(view, slot, slot + EPOCH_MS),
    activeTimeInSeconds: seconds,
    met: roundTo(met, 2),
    intensity: met >= 6 ? 'HIGHLY_ACTIVE' : met > MET_STILL ? 'ACTIVE' : 'SEDENTARY',
    meanMotionIntensity: Math.min(7, Math.round(met)),
    maxMotionIntensity: Math.min(7, Math.round(met) + 2),
  });
  return makeSummary(view, `epoch-${activityType.toLowerCase()}`, slot, write, 'whole');
}

function typeAt(view: AccountView, { workouts }: AccountDay, slot: number): string {
  const workout = workouts.find(({ start, end }) => start < slot + EPOCH_MS && end > slot);
  if (workout !== undefined) return activityTypeOf(view, workout);
  return isInWheelchair(view) ? 'WHEELCHAIR_PUSHING' : 'WALKING';
}
