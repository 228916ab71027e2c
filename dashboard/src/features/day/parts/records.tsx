import { clock } from '../../../shared/time/format-time.ts';
import { DeviceMark } from '../../../shared/user/device-mark.tsx';
import { formatValue } from '../../../shared/words/values.ts';
import { useDevice, useViewedUser } from '../day-context.ts';
import type { Explanation } from '../explain-value.ts';
import { words } from '../words.ts';
import styles from './records.module.css';

/** The sleeps or workouts behind a value, and why each is used or not. */
export function Records({ explanation }: { explanation: Explanation }) {
  const { head } = useViewedUser();
  const device = useDevice();
  const numberOf = (id: string) => head.devices.find((one) => one.id === id)?.number ?? 0;
  return (
    <section>
      <h3>{words.sessions}</h3>
      <ul className={styles.list}>
        {explanation.records.map((record) => {
          const look = device(numberOf(record.device_id));
          return (
            <li key={record.id}>
              <DeviceMark device={look} />
              <span className={styles.what}>
                {look.name}
                <small>{`${clock(record.start, explanation.zone)}–${clock(record.end, explanation.zone)}`}</small>
              </span>
              <b>{formatValue(record.value, explanation)}</b>
              <small className={styles.reason}>{record.reason}</small>
            </li>
          );
        })}
      </ul>
    </section>
  );
}
