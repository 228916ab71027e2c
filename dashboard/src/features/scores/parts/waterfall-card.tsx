import { Link } from '@tanstack/react-router';
import { addDays } from '../../../shared/time/dates.ts';
import { clock } from '../../../shared/time/format-time.ts';
import { buttonClass } from '../../../shared/ui/button.tsx';
import { Card } from '../../../shared/ui/card.tsx';
import { Copy } from '../../../shared/ui/copy.tsx';
import { Icon } from '../../../shared/ui/icon.tsx';
import { Pill } from '../../../shared/ui/pill.tsx';
import { Empty } from '../../../shared/ui/states.tsx';
import { number } from '../../../shared/words/numbers.ts';
import type { ScoreColumn } from '../queries.ts';
import type { Selection } from '../use-selection.ts';
import { buildWaterfall } from '../waterfall.ts';
import { absenceText, absentSinceText, answerText, words } from '../words.ts';
import { DayStep } from './day-step.tsx';
import { Equation } from './equation.tsx';
import styles from './waterfall-card.module.css';
import { WaterfallTable } from './waterfall-table.tsx';

type Props = { readonly column: ScoreColumn; readonly dates: readonly string[]; readonly selection: Selection };

/** Explains the score: its factors as a sum, or the inputs that a missing score needs. */
export function WaterfallCard({ column, dates, selection }: Props) {
  const { explained, bands } = column;
  const { score, date } = selection;
  const waterfall = buildWaterfall(explained);
  const title =
    waterfall === null ? (
      words.none(score.name, explained.date)
    ) : (
      <span className={styles.title}>
        {score.name} <span className={styles.figure}>{number(waterfall.value, 1)}</span>
      </span>
    );
  return (
    <Card
      title={title}
      badge={explained.band && <Pill>{explained.band}</Pill>}
      actions={
        <>
          {waterfall !== null && <Copy text={() => answerText(score.name, explained)}>{words.copy}</Copy>}
          <DayStep selection={selection} />
        </>
      }
    >
      <p className={styles.about}>{score.about}</p>
      {waterfall === null ? (
        <Empty
          title={absenceText(explained)}
          action={
            <Link {...selection.addressOf(addDays(date, -1))} className={buttonClass()}>
              <Icon name="left" size={15} />
              {words.dayBefore}
            </Link>
          }
        >
          {absentSinceText(dates, column.values)}
        </Empty>
      ) : (
        <>
          <WaterfallTable name={score.name} waterfall={waterfall} explained={explained} bands={bands} />
          <Equation waterfall={waterfall} />
          <p className={styles.legend}>
            <span data-key="adds">{words.adds}</span>
            <span data-key="takes">{words.takes}</span>
            <span data-key="usual">{words.usual}</span>
            <span>
              {explained.coverage !== null && `coverage ${number(explained.coverage)} % · `}
              algorithm {explained.algorithm_version}
              {explained.computed_at !== null && ` · computed ${clock(explained.computed_at)} your time`}
            </span>
          </p>
        </>
      )}
    </Card>
  );
}
