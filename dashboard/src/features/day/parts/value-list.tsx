import { memo, useDeferredValue, useMemo } from 'react';
import { Count } from '../../../shared/ui/pill.tsx';
import { splitValue } from '../../../shared/words/values.ts';
import { useDevice } from '../day-context.ts';
import { isCounted } from '../explain-value.ts';
import { type DayValue, groupValues } from '../group-values.ts';
import { placeDots } from '../place-dots.ts';
import { words } from '../words.ts';
import styles from './value-list.module.css';

type Props = {
  readonly values: readonly DayValue[];
  readonly search: string;
  readonly open: string | null;
  readonly onOpen: (metric: string) => void;
};

export const ValueList = memo(function ValueList({ values, search, open, onOpen }: Props) {
  const wanted = useDeferredValue(search);
  const groups = useMemo(() => groupValues(values, wanted), [values, wanted]);
  if (groups.length === 0) return <p className={styles.none}>{words.noMatch}</p>;
  return groups.map(({ title, values: ofGroup }) => (
    <section key={title} className={styles.group} aria-label={title}>
      <h3>
        {title} <Count value={ofGroup.length} />
      </h3>
      <ul>
        {ofGroup.map((value) => (
          <li key={value.metric}>
            <Row value={value} isOpen={value.metric === open} onOpen={onOpen} />
          </li>
        ))}
      </ul>
    </section>
  ));
});

type RowProps = { readonly value: DayValue; readonly isOpen: boolean; readonly onOpen: (metric: string) => void };

const Row = memo(function Row({ value, isOpen, onOpen }: RowProps) {
  const { text, unit } = splitValue(value.value, value);
  return (
    <button type="button" className={styles.row} aria-pressed={isOpen} onClick={() => onOpen(value.metric)}>
      <span className={styles.name}>
        {value.name}
        {value.overridden && <span className={styles.override}>{words.override}</span>}
      </span>
      <Dots value={value} />
      <span className={styles.value}>
        <b>{text}</b> {unit}
      </span>
    </button>
  );
});

const WIDTH = 100;
const MIDDLE = 9;

/** The value of each device on one scale: full = counted, hollow = not, stroke = result. */
function Dots({ value }: { value: DayValue }) {
  const device = useDevice();
  if (value.candidates.length === 0) return <span />;
  const { dots, result } = placeDots(value, WIDTH);
  return (
    <svg viewBox={`0 0 ${WIDTH} ${MIDDLE * 2}`} height={MIDDLE * 2} aria-hidden="true" className={styles.dots}>
      {result !== null && <path d={`M${result} 2V${MIDDLE * 2 - 2}`} stroke="var(--ink)" strokeWidth={1.5} />}
      {dots.map(({ candidate, x }) => (
        <circle
          key={candidate.device}
          cx={x}
          cy={MIDDLE}
          r={4}
          fill={isCounted(candidate) ? device(candidate.device).colour : 'var(--paper)'}
          stroke={device(candidate.device).colour}
          strokeWidth={1.7}
        />
      ))}
    </svg>
  );
}
