import { duration } from '../../../shared/time/format-time.ts';
import { METHOD_NAMES } from '../../../shared/words/methods.ts';
import { signed } from '../../../shared/words/numbers.ts';
import { splitValue } from '../../../shared/words/values.ts';
import { useViewedUser } from '../day-context.ts';
import type { Explanation } from '../explain-value.ts';
import { words } from '../words.ts';
import styles from './alternatives.module.css';

type Alternative = Explanation['alternatives'][number];

/** What every allowed method would give; each leads to the consolidation settings with that method chosen. */
export function Alternatives({ explanation }: { explanation: Explanation }) {
  return (
    <section>
      <h3>{words.otherMethods}</h3>
      <ul className={styles.cards}>
        {explanation.alternatives.toSorted(byDefault(explanation)).map((alternative) => (
          <li key={alternative.method}>
            <AlternativeCard explanation={explanation} alternative={alternative} />
          </li>
        ))}
      </ul>
    </section>
  );
}

function byDefault({ default_method: usual }: Explanation) {
  return (a: Alternative, b: Alternative) => Number(b.method === usual) - Number(a.method === usual);
}

function AlternativeCard({ explanation, alternative }: { explanation: Explanation; alternative: Alternative }) {
  const { method, value } = alternative;
  const { text, unit } = splitValue(value, explanation);
  const name = METHOD_NAMES[method];
  const isDefault = method === explanation.default_method;
  return (
    <a
      className={styles.card}
      href={useConsolidationPath(explanation, method)}
      aria-current={method === explanation.method}
    >
      <span className={styles.name}>
        {name.charAt(0).toUpperCase() + name.slice(1)}
        {isDefault && ` · ${words.isDefault}`}
      </span>
      <b>
        {text} {unit && <small>{unit}</small>}
      </b>
      <span className={styles.note}>{compare(explanation, alternative)}</span>
    </a>
  );
}

/** The page where the method is set, with one chosen. */
export function useConsolidationPath({ setting }: Explanation, method: string | null): string {
  const { environment, userId } = useViewedUser();
  const query = new URLSearchParams({ key: setting.key ?? '', ...(method !== null && { method }) });
  return `/dashboard/${environment}/users/${userId}/consolidation?${query}`;
}

function compare(
  { value: current, method: inForce, unit, decimals }: Explanation,
  { method, value }: Alternative,
): string {
  if (method === inForce) return words.inForce;
  if (value === null) return words.noValue;
  const difference = value - (current ?? 0);
  if (Math.abs(difference) < 0.5 * 10 ** -decimals) return words.theSame;
  if (unit === 'min' || unit === 'min_of_day') return `${difference < 0 ? '−' : '+'}${duration(Math.abs(difference))}`;
  return signed(difference, decimals);
}
