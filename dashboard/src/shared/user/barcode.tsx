import type { Replies } from '../../api/types.gen.ts';
import styles from './barcode.module.css';
import { joinSteps, readBits } from './coverage.ts';
import { className, lookOf } from './devices.ts';

type Directory = Replies['listDirectory'];
type DirectoryUser = Pick<Directory['users'][number], 'devices'>;

const WIDTH = 232;
const LINE = 6;
const STEPS = 29; // seven days and the current six hours
const STEPS_OF_DAY = 4;

type Props = { readonly user: DirectoryUser; readonly coverage: Directory['coverage'] };

/** A line per device; it is drawn where the device recorded data. Each day is four intervals of six hours. */
export function Barcode({ user, coverage }: Props) {
  const looks = lookOf(user.devices);
  const height = Math.max(1, user.devices.length) * LINE;
  const x = (step: number) => (step / STEPS) * WIDTH;
  const days = Array.from({ length: Math.floor(STEPS / STEPS_OF_DAY) + 1 }, (_, day) => day * STEPS_OF_DAY);
  return (
    <svg
      className={styles.barcode}
      viewBox={`0 0 ${WIDTH} ${height}`}
      width={WIDTH}
      height={height}
      role="img"
      aria-label={describe(user, coverage.step_hours)}
    >
      {user.devices.map((device, index) => {
        const y = index * LINE + LINE / 2;
        return (
          <g key={device.id}>
            <line className={styles.empty} x1={0} x2={WIDTH} y1={y} y2={y} />
            <path
              stroke={looks.get(device.number)?.colour ?? 'var(--faint)'}
              d={joinSteps(readBits(device.coverage, STEPS))
                .map(({ from, to }) => `M${x(from) + 1} ${y}H${x(to) - 1}`)
                .join('')}
            />
          </g>
        );
      })}
      {days.map((step) => (
        <line key={step} className={styles.day} x1={x(step)} x2={x(step)} y1={0} y2={height} />
      ))}
    </svg>
  );
}

function describe({ devices }: DirectoryUser, hours: number): string {
  if (devices.length === 0) return 'No device';
  const parts = devices.map(({ device_class, coverage }) => {
    const covered = readBits(coverage, STEPS).filter(Boolean).length;
    return `${className(device_class)} ${covered} of ${STEPS}`;
  });
  return `Data in periods of ${hours} hours: ${parts.join(', ')}`;
}
