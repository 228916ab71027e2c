import { Link } from '@tanstack/react-router';
import { shortWeekday } from '../../../shared/time/short-weekday.ts';
import { number } from '../../../shared/words/numbers.ts';
import { useConsolidation } from '../context.ts';
import type { Preview } from '../queries.ts';
import { summarizeScores } from '../read-preview.ts';
import { words } from '../words.ts';
import styles from './preview-card.module.css';

/** The scores that follow: how many days, and the largest difference. */
export function ScoreChanges({ scores }: { scores: Preview['scores'] }) {
  const { environment, userId } = useConsolidation();
  return (
    <section className={styles.part}>
      <h3>{words.scores}</h3>
      {scores.length === 0 && <p className={styles.note}>{words.noScores}</p>}
      <ul className={styles.scores}>
        {summarizeScores(scores).map(({ type, days, most }) => (
          <li key={type}>
            <Link
              to="/$environment/users/$userId/scores/$date/$score"
              params={{ environment, userId, date: most.date, score: type } as never}
            >
              {nameScore(type)}
            </Link>
            <span>{words.scoreDays(days)}</span>
            <small>{words.scoreMost(shortWeekday(most.date), number(most.from), number(most.to))}</small>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** recovery_score becomes "Recovery". */
function nameScore(type: string): string {
  const text = type.replace(/_score$/, '').replaceAll('_', ' ');
  return text.charAt(0).toUpperCase() + text.slice(1);
}
