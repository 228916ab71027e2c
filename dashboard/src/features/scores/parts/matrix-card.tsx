import { Link } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { dayOfMonth, weekday } from '../../../shared/time/short-weekday.ts';
import { Card } from '../../../shared/ui/card.tsx';
import { CsvButton } from '../../../shared/ui/csv-button.tsx';
import { Segments } from '../../../shared/ui/tabs.tsx';
import { number, signed } from '../../../shared/words/numbers.ts';
import { strengthOf } from '../matrix.ts';
import type { ScoreColumn } from '../queries.ts';
import type { Selection } from '../use-selection.ts';
import { factorName, words } from '../words.ts';
import styles from './matrix-card.module.css';

type Props = { readonly column: ScoreColumn; readonly dates: readonly string[]; readonly selection: Selection };

const RANGES = [
  { value: '7', text: '7 days' },
  { value: '28', text: '28' },
  { value: '90', text: '90' },
] as const;

/** Factors by days: the day on which a factor changed stands out. */
export function MatrixCard({ column, dates, selection }: Props) {
  const scroller = useScrollToEnd(dates.at(-1));
  const rows = dates.map((date, index) => ({ date, index }));
  return (
    <Card
      title={words.when}
      badge={<small>{words.whenNote}</small>}
      actions={
        <>
          <Segments
            label="Days"
            choices={RANGES}
            value={String(selection.days) as '7'}
            onChange={(days) => selection.show(Number(days))}
          />
          <CsvButton
            name={`${selection.score.slug}-factors.csv`}
            rows={rows}
            columns={[
              { name: 'date', csv: ({ date }) => date },
              { name: 'neutral', csv: ({ index }) => column.neutral[index] ?? null },
              ...column.factors.map((factor) => ({
                name: factor.name,
                csv: ({ index }: { index: number }) => factor.contributions[index] ?? null,
              })),
              { name: 'score', csv: ({ index }) => column.values[index] ?? null },
            ]}
          />
        </>
      }
    >
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
      <section ref={scroller} className={styles.scroller} tabIndex={0} aria-label={words.whenNote}>
        <table className={styles.matrix} data-dense={dates.length > 7 || undefined}>
          <thead>
            <tr>
              <th scope="col">{words.factor}</th>
              {dates.map((date) => (
                <th key={date} scope="col">
                  <Link
                    {...selection.addressOf(date)}
                    resetScroll={false}
                    aria-current={date === selection.date ? 'date' : undefined}
                  >
                    {weekday(date)} <b>{dayOfMonth(date)}</b>
                  </Link>
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {column.factors.map(({ name, contributions }) => (
              <tr key={name}>
                <th scope="row">{factorName(name)}</th>
                {contributions.map((points, index) => (
                  <Cell key={dates[index]} points={points} />
                ))}
              </tr>
            ))}
          </tbody>
          <tfoot>
            <tr>
              <th scope="row">{words.score}</th>
              {column.values.map((value, index) => (
                <td key={dates[index]} data-chosen={dates[index] === selection.date || undefined}>
                  {number(value, 1)}
                </td>
              ))}
            </tr>
          </tfoot>
        </table>
      </section>
    </Card>
  );
}

function Cell({ points }: { points: number | null }) {
  if (points === null) return <td className={styles.none}>–</td>;
  const strength = strengthOf(points);
  return (
    <td>
      <span
        className={styles.cell}
        data-direction={points > 0 ? 'adds' : points < 0 ? 'takes' : undefined}
        data-strength={strength}
      >
        {signed(points)}
      </span>
    </td>
  );
}

/** The newest day is at the right. */
function useScrollToEnd(last: string | undefined) {
  const scroller = useRef<HTMLElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: only when the days change
  useEffect(() => {
    if (scroller.current) scroller.current.scrollLeft = scroller.current.scrollWidth;
  }, [last]);
  return scroller;
}
