import { SECOND_MS } from '../../../shared/time/durations.ts';
import { clockSeconds, dateTime, until } from '../../../shared/time/format-time.ts';
import { useNow } from '../../../shared/time/use-now.ts';
import { Icon } from '../../../shared/ui/icon.tsx';
import styles from '../deliveries.module.css';
import { distance, planAttempts, type Slot } from '../plan-attempts.ts';
import type { InspectedDelivery } from '../queries.ts';
import { words } from '../words.ts';

type Props = {
  readonly delivery: InspectedDelivery;
  /** The number of the attempt below the line. */
  readonly shown: number;
  readonly onChoose: (attempt: number) => void;
};

/** Attempts from left to right: those made can be opened, the next one counts down, the rest is pale. */
export function AttemptLine({ delivery, shown, onChoose }: Props) {
  const nowMs = useNow(SECOND_MS);
  return (
    <ol className={styles.line} aria-label={words.attemptLine}>
      {planAttempts(delivery).map((slot) => (
        <li
          key={slot.number}
          data-kind={slot.kind}
          data-success={(slot.kind === 'made' && slot.isSuccess) || undefined}
        >
          {slot.kind === 'made' ? (
            <Made slot={slot} delivery={delivery} isShown={slot.number === shown} onChoose={onChoose} />
          ) : (
            <>
              <i>{slot.number}</i>
              <b>{describeComing(slot, nowMs)}</b>
            </>
          )}
        </li>
      ))}
    </ol>
  );
}

type MadeProps = {
  readonly slot: Extract<Slot, { kind: 'made' }>;
  readonly delivery: InspectedDelivery;
  readonly isShown: boolean;
  readonly onChoose: (attempt: number) => void;
};

function Made({ slot: { number, isSuccess }, delivery, isShown, onChoose }: MadeProps) {
  const attempt = delivery.attempts[number - 1];
  if (attempt === undefined) return null;
  const answer = attempt.status ?? words.noAnswer;
  return (
    <>
      <button
        type="button"
        aria-pressed={isShown}
        aria-label={`${words.attempt(number)}: ${answer}`}
        title={dateTime(attempt.attempted_at)}
        onClick={() => onChoose(number)}
      >
        <Icon name={isSuccess ? 'check' : 'cross'} size={12} />
      </button>
      <b>{answer}</b>
      <time dateTime={attempt.attempted_at}>{clockSeconds(attempt.attempted_at)}</time>
    </>
  );
}

function describeComing(slot: Exclude<Slot, { kind: 'made' }>, nowMs: number): string {
  if (slot.kind === 'later') return distance(slot.afterMs);
  return slot.at === null ? words.now : until(slot.at, nowMs);
}
