import type { Replies } from '../../api/types.gen.ts';
import styles from './device-mark.module.css';
import { DeviceMark } from './device-mark.tsx';
import { className, lookOf, providerName } from './devices.ts';

type Listed = Replies['listDirectory']['users'][number]['devices'];

/** The shapes of a user's devices; red when the person has to connect one again. */
export function DeviceMarks({ devices }: { devices: Listed }) {
  const looks = lookOf(devices);
  return (
    <span className={styles.marks}>
      {devices.map((device) => {
        const look = looks.get(device.number);
        const needsHelp = device.status === 'reauthorize';
        const title = `${device.name ?? providerName(device.provider)}, ${className(device.device_class)}${needsHelp ? ': reconnect' : ''}`;
        return (
          look && (
            <span key={device.id} title={title} role="img" aria-label={title}>
              <DeviceMark device={needsHelp ? { ...look, colour: 'var(--bad-mark)' } : look} />
            </span>
          )
        );
      })}
    </span>
  );
}
