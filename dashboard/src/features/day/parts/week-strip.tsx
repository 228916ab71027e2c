import { type MouseEvent, memo, useEffect, useRef } from 'react';
import type { Replies } from '../../../api/types.gen.ts';
import { longDate } from '../../../shared/time/format-time.ts';
import { number } from '../../../shared/words/numbers.ts';
import { useDate, useViewedUser } from '../day-context.ts';
import { listCovered } from '../list-covered.ts';
import { words } from '../words.ts';
import styles from './week-strip.module.css';

type WeekDay = Replies['readWeek']['days'][number];
type Props = {
  readonly days: readonly WeekDay[];
  /** Of the address of each day: empty, or with its question mark. */
  readonly search: string;
  readonly onOpen: (date: string) => void;
  readonly onHover: (date: string) => void;
};

/** The week that ends with the day: when each device measured something, and the steps. */
export const WeekStrip = memo(function WeekStrip({ days, search, onOpen, onHover }: Props) {
  const date = useDate();
  const strip = useRef<HTMLElement>(null);
  useEffect(() => {
    const open = strip.current?.querySelector('[aria-current]');
    if (open instanceof HTMLElement) strip.current?.scrollTo({ left: open.offsetLeft - strip.current.clientWidth / 2 });
  }, []);
  return (
    <nav className={styles.strip} aria-label={words.week} ref={strip}>
      {days.map((day) => (
        <StripDay
          key={day.date}
          day={day}
          search={search}
          isOpen={day.date === date}
          onOpen={onOpen}
          onHover={onHover}
        />
      ))}
    </nav>
  );
});

type DayProps = Omit<Props, 'days'> & { readonly day: WeekDay; readonly isOpen: boolean };

/** No link of the router, which takes longer to make the address than the rest of the strip takes to render. */
const StripDay = memo(function StripDay({ day, search, isOpen, onOpen, onHover }: DayProps) {
  const { environment, userId } = useViewedUser();
  const follow = (event: MouseEvent) => {
    if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return; // a new tab
    event.preventDefault();
    onOpen(day.date);
  };
  return (
    <a
      href={`/dashboard/${environment}/users/${userId}/day/${day.date}${search}`}
      className={styles.day}
      aria-current={isOpen ? 'date' : undefined}
      onClick={follow}
      onPointerEnter={() => onHover(day.date)}
      onFocus={() => onHover(day.date)}
    >
      <span className={styles.when}>
        <span>{longDate(day.date).slice(0, 3)}</span>
        <b>{Number(day.date.slice(8))}</b>
      </span>
      <Coverage day={day} />
      <span className={styles.steps}>
        {day.steps === null ? (
          words.noSteps
        ) : (
          <>
            <b>{number(day.steps)}</b> {words.steps}
          </>
        )}
      </span>
    </a>
  );
});

const ROW = 4;
const WIDTH = 96;

function Coverage({ day }: { day: WeekDay }) {
  const devices = [...useViewedUser().devices.values()];
  const yOf = (index: number) => index * ROW + ROW / 2;
  return (
    <svg
      className={styles.coverage}
      viewBox={`0 0 ${WIDTH} ${Math.max(3, devices.length) * ROW}`}
      preserveAspectRatio="none"
      aria-hidden="true"
    >
      <path
        d={devices.map((_, index) => `M0 ${yOf(index)}H${WIDTH}`).join('')}
        stroke="var(--line)"
        strokeWidth={0.6}
      />
      {devices.map(({ number, colour }, index) => {
        const coverage = day.devices.find((one) => one.device === number)?.coverage ?? '';
        const unit = WIDTH / Math.max(48, coverage.length * 4);
        const runs = listCovered(coverage).map(({ from, to }) => `M${from * unit} ${yOf(index)}H${to * unit}`);
        return <path key={number} d={runs.join('')} stroke={colour} strokeWidth={1.8} />;
      })}
    </svg>
  );
}
