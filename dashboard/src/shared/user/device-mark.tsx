import styles from './device-mark.module.css';
import { className, type DeviceLook } from './devices.ts';

type Props = {
  readonly device: Pick<DeviceLook, 'deviceClass' | 'colour' | 'isDashed'>;
  readonly size?: number;
};

/** The shape of a device in its colour. Its name is beside it, so the shape is not read aloud. */
export function DeviceMark({ device: { deviceClass, colour, isDashed }, size = 15 }: Props) {
  return (
    <svg
      className={styles.mark}
      width={size}
      height={size}
      viewBox="0 0 16 16"
      fill="none"
      stroke={colour}
      strokeWidth={2}
      strokeDasharray={isDashed ? '2 1.5' : undefined}
      strokeLinejoin="round"
      aria-hidden="true"
    >
      <path d={SHAPES[deviceClass] ?? SHAPE} />
    </svg>
  );
}

/** A name with the shape before it. */
export function DeviceName({ device, note }: { device: DeviceLook; note?: boolean }) {
  return (
    <span className={styles.name} title={`${device.name}, ${className(device.deviceClass)}`}>
      <DeviceMark device={device} />
      <b>{device.name}</b>
      {note && <span className={styles.via}>{device.via}</span>}
    </span>
  );
}

const SHAPE = 'M3 3h10v10H3Z';
const SHAPES: Readonly<Record<string, string>> = {
  ring: 'M8 13.5a5.5 5.5 0 1 0 0-11 5.5 5.5 0 0 0 0 11Z',
  wrist: 'M5.700 4.500 6.200 1.200h3.600l.5 3.300M5.700 11.500l.5 3.300h3.600l.5-3.300M4 4.500h8v7H4Z',
  phone: 'M4.500 1.500h7v13h-7ZM7.500 12h1',
  scale: 'M2 3.500h12v9.500H2ZM5.500 6.500a3.500 3.500 0 0 1 5 0',
  chest_strap: 'M1 8h3.500M11.5 8H15M5 5.500h6v5H5Z',
  patch: 'M3.500 3.500h9v9h-9ZM8 6.500v3M6.500 8h3',
  mat: 'M2 10.500h12M2 6v7M14 6v7',
  meter: 'M8 2 12 8.500a4.200 4.200 0 1 1-8 0Z',
  cgm: 'M8 12.500a4.500 4.500 0 1 0 0-9 4.500 4.500 0 0 0 0 9ZM8 8h.01',
  app: 'M3 3h4v4H3ZM9 3h4v4H9ZM3 9h4v4H3ZM9 9h4v4H9Z',
};
