import { type Cursor, useCursor } from '../../../shared/chart/cursor.ts';
import { clock } from '../../../shared/time/format-time.ts';
import { DeviceMark } from '../../../shared/user/device-mark.tsx';
import { formatValue } from '../../../shared/words/values.ts';
import { useDevice } from '../day-context.ts';
import { type BandReading, type QuarterReading, readQuarter } from '../read-quarter.ts';
import type { RiverModel } from '../river-model.ts';
import { words } from '../words.ts';
import styles from './readout.module.css';

/** The value of every device in the quarter hour under the cursor: a fixed line, not a tip that would cover the chart. */
export function Readout({ river, cursor }: { river: RiverModel; cursor: Cursor }) {
  const reading = readQuarter(river, useCursor(cursor));
  return (
    <dl className={styles.readout}>
      <div className={styles.when}>
        <dt>{nameQuarter(reading, river.zone)}</dt>
        <dd>{nameStage(reading)}</dd>
      </div>
      {reading.bands.map((band) => (
        <BandValues key={band.band.metric} band={band} />
      ))}
    </dl>
  );
}

function BandValues({ band: { band, readings } }: { band: BandReading }) {
  const device = useDevice();
  return (
    <div className={styles.band}>
      <dt>{band.name}</dt>
      <dd>
        {readings.length === 0 && <span className={styles.none}>{words.nothingMeasured}</span>}
        {readings.map(({ device: key, value, isCounted }) => (
          <span key={key} className={styles.value} title={device(key).name}>
            <DeviceMark device={device(key)} size={14} />
            {isCounted ? <b>{formatValue(value, band)}</b> : formatValue(value, band)}
            {!isCounted && <small>{words.notCounted}</small>}
          </span>
        ))}
      </dd>
    </div>
  );
}

export function nameQuarter({ startMs, endMs }: Pick<QuarterReading, 'startMs' | 'endMs'>, zone: string): string {
  return `${clock(startMs, zone)}–${clock(endMs, zone)}`;
}

function nameStage({ stage, workout }: QuarterReading): string {
  if (workout !== null) return workout;
  return stage === null ? words.awake : words.stages[stage].toLowerCase();
}

/** The same in words, for those who hear it. */
export function nameReading(reading: QuarterReading, nameDevice: (device: number) => string): string {
  const bands = reading.bands.map(({ band, readings }) => {
    const values = readings.map(
      ({ device, value, isCounted }) =>
        `${nameDevice(device)} ${formatValue(value, band)}${isCounted ? '' : ` ${words.notCounted}`}`,
    );
    return `${band.name}: ${values.length === 0 ? words.nothingMeasured : values.join(', ')}`;
  });
  return [nameStage(reading), ...bands].join('. ');
}
