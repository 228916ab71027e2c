import { Link } from '@tanstack/react-router';
import { Spark } from '../../../shared/chart/spark.tsx';
import { number } from '../../../shared/words/numbers.ts';
import type { Matrix, ScoreColumn } from '../queries.ts';
import type { Selection } from '../use-selection.ts';
import { SCORES } from '../words.ts';
import styles from './score-cards.module.css';

const WEEK = 7;

export function ScoreCards({ matrix, selection }: { matrix: Matrix; selection: Selection }) {
  return (
    <nav className={styles.cards} aria-label="Scores">
      {SCORES.map(({ type, slug, name }) => {
        const column = matrix.scores.find((one) => one.type === type);
        if (column === undefined) return null;
        const value = column.values.at(-1) ?? null;
        return (
          <Link
            key={type}
            {...selection.addressOf(selection.date, slug)}
            className={styles.card}
            aria-current={type === selection.score.type ? 'true' : undefined}
            resetScroll={false}
          >
            <span className={styles.name}>{name}</span>
            <span className={styles.row}>
              <b>{number(value)}</b>
              <Spark
                values={column.values.slice(-WEEK)}
                label={`${name}, last seven days`}
                range={[0, 100]}
                width={66}
                height={28}
              />
            </span>
            <small>{noteOf(column, value)}</small>
          </Link>
        );
      })}
    </nav>
  );
}

function noteOf({ explained, coverage }: ScoreColumn, value: number | null): string {
  if (value === null) return explained.absence?.reason === 'waiting' ? 'not computed yet' : 'not enough data';
  return explained.band ?? `coverage ${number(coverage.at(-1) ?? 100)} %`;
}
