import { useDevice } from '../day-context.ts';
import { placeText, type RiverLayout } from '../layout.ts';
import type { RiverModel, RiverWorkout } from '../river-model.ts';
import { words } from '../words.ts';
import { BandName } from './band-name.tsx';
import styles from './river.module.css';

type Props = { readonly river: RiverModel; readonly layout: RiverLayout };

/** The time of a workout through all charts. */
export function WorkoutWash({ river, layout }: Props) {
  return river.workouts
    .filter(({ isCounted }) => isCounted)
    .map((workout) => {
      const { from, to } = spanOf(workout, layout);
      return <rect key={workout.id} x={from} width={to - from} y={28} height={layout.height - 30} fill="var(--tint)" />;
    });
}

export function WorkoutBand({ river, layout }: Props) {
  const device = useDevice();
  const { workouts: box } = layout;
  if (box === null) return null;
  return (
    <g>
      <BandName layout={layout} box={box} name={words.workouts} />
      {river.workouts.map((workout) => {
        const { from, to } = spanOf(workout, layout);
        const { colour } = device(workout.device);
        if (!workout.isCounted)
          return (
            <rect
              key={workout.id}
              x={from}
              width={to - from}
              y={box.copiesTop}
              height={4}
              rx={2}
              fill={colour}
              opacity={0.5}
            />
          );
        return (
          <g key={workout.id}>
            <rect x={from} width={to - from} y={box.top + 1} height={16} rx={4} fill={colour} />
            <text {...placeText(workout.name, from, to, layout)} y={box.top + 13} className={styles.workout}>
              {workout.name}
            </text>
          </g>
        );
      })}
    </g>
  );
}

function spanOf({ startMs, endMs }: RiverWorkout, { x, left, right }: RiverLayout) {
  const from = Math.max(left, x(startMs));
  return { from, to: Math.max(from + 3, Math.min(right, x(endMs))) };
}
