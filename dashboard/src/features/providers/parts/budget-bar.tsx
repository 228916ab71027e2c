import { budgetShare } from '../describe-provider.ts';
import styles from '../providers.module.css';
import type { Health } from '../queries.ts';
import { words } from '../words.ts';

const NEARLY_USED = 0.8;

/** How much of the rate limit is used, as a bar and in words. */
export function BudgetBar({ budget, nowMs }: { budget: NonNullable<Health['budget']>; nowMs: number }) {
  const share = budgetShare(budget);
  return (
    <span className={styles.budget}>
      <span className={styles.bar} data-high={share >= NEARLY_USED || undefined}>
        <span style={{ width: `${share * 100}%` }} />
      </span>
      {words.used(budget.used, budget.of)}
      {budget.resets_at && <small>{words.resets(budget.resets_at, nowMs)}</small>}
    </span>
  );
}
