import { memo, useMemo } from 'react';
import { createCursor } from '../../../shared/chart/cursor.ts';
import { addDays } from '../../../shared/time/dates.ts';
import { ago, longDate } from '../../../shared/time/format-time.ts';
import { Button, IconButton } from '../../../shared/ui/button.tsx';
import { Card } from '../../../shared/ui/card.tsx';
import { Keycap } from '../../../shared/ui/keycap.tsx';
import { Empty } from '../../../shared/ui/states.tsx';
import { DeviceName } from '../../../shared/user/device-mark.tsx';
import { useDevice, useViewedUser } from '../day-context.ts';
import { openRiver, type RiverReply } from '../river-model.ts';
import { findFirstQuarter } from '../uncounted.ts';
import { words } from '../words.ts';
import { ChartMenu } from './chart-menu.tsx';
import { DayMenu } from './day-menu.tsx';
import { Readout } from './readout.tsx';
import { River } from './river.tsx';
import styles from './river-card.module.css';

type Props = {
  readonly reply: RiverReply;
  readonly charts: readonly string[];
  /** In the person's zone. */
  readonly today: string;
  readonly onCharts: (charts: readonly string[]) => void;
  readonly onMetric: (metric: string) => void;
  readonly onOpen: (date: string) => void;
  readonly onHover: (date: string) => void;
};

/** Not drawn again while another day loads. */
export const RiverCard = memo(function RiverCard(props: Props) {
  const { reply, charts, today, onCharts, onMetric, onOpen, onHover } = props;
  const river = useMemo(() => openRiver(reply), [reply]);
  const cursor = useMemo(() => createCursor(river.quarters, findFirstQuarter(river)), [river]);
  const isEmpty = river.sleeps.length + river.workouts.length + reply.available.length === 0;
  const [before, after] = [addDays(river.date, -1), addDays(river.date, 1)];
  return (
    <Card
      title={longDate(river.date)}
      badge={river.hours !== 24 && <small>{words.shortDay(river.hours)}</small>}
      actions={
        <>
          <Devices reply={reply} />
          <span className={styles.days}>
            <Button disabled={river.date === today} onClick={() => onOpen(today)}>
              {words.today}
            </Button>
            <IconButton
              icon="left"
              label={words.previousDay}
              hasEdge
              onClick={() => onOpen(before)}
              onPointerEnter={() => onHover(before)}
            />
            <IconButton
              icon="right"
              label={words.nextDay}
              hasEdge
              disabled={river.date >= today}
              onClick={() => onOpen(after)}
              onPointerEnter={() => onHover(after)}
            />
            <DayMenu />
          </span>
        </>
      }
    >
      {isEmpty ? (
        <EmptyDay />
      ) : (
        <>
          <River river={river} cursor={cursor} onMetric={onMetric} />
          <Readout river={river} cursor={cursor} />
          <div className={styles.foot}>
            {LEGEND}
            <ChartMenu available={reply.available} charts={charts} onCharts={onCharts} />
            {KEYS}
          </div>
        </>
      )}
    </Card>
  );
});

/** The devices that sent something of this day. */
const Devices = memo(function Devices({ reply }: { reply: RiverReply }) {
  const device = useDevice();
  const numbers = new Set([
    ...reply.sleeps.map((sleep) => sleep.device),
    ...reply.workouts.map((workout) => workout.device),
    ...reply.metrics.flatMap((band) => band.devices.map((one) => one.device)),
  ]);
  return (
    <span className={styles.devices}>
      {[...numbers]
        .sort((a, b) => a - b)
        .map((number) => (
          <DeviceName key={number} device={device(number)} note />
        ))}
    </span>
  );
});

// Made once, so that another day does not render them again.
const LEGEND = (
  <>
    <span className={styles.counted}>{words.counted}</span>
    <span className={styles.notCounted}>{words.measuredNotCounted}</span>
    <span className={styles.source}>{words.source}</span>
  </>
);
const KEYS = (
  <span className={styles.keys}>
    <Keycap keys="ArrowLeft" /> <Keycap keys="ArrowRight" /> {words.keys.day} <Keycap keys="t" /> {words.keys.today}
  </span>
);

/** Never "no data" alone: when each device last sent data. */
function EmptyDay() {
  const { head, devices } = useViewedUser();
  const known = head.devices.filter(({ number }) => devices.has(number));
  const describe = (number: number, at: string | null) => {
    const name = devices.get(number)?.name ?? '';
    return at === null ? words.withoutData(name) : words.lastDataAt(name, ago(at));
  };
  return (
    <Empty title={words.empty}>
      {known.length === 0 ? (
        words.noDevices
      ) : (
        <ul>
          {known.map((device) => (
            <li key={device.id}>{describe(device.number, device.last_sync_at)}</li>
          ))}
        </ul>
      )}
    </Empty>
  );
}
