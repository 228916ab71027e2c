import { EVENT_TYPES, eventWords } from '../../../shared/event/event-types.ts';
import type { Webhook } from '../queries.ts';
import styles from '../webhooks.module.css';
import { words } from '../words.ts';

type Events = Webhook['events'];
type Props = { readonly events: Events; readonly problem: string | null; readonly onChange: (events: Events) => void };

export function EventChoice({ events, problem, onChange }: Props) {
  const isEvery = events.includes('*');
  return (
    <fieldset className={styles.choice}>
      <legend>{words.events}</legend>
      <label>
        <input type="checkbox" checked={isEvery} onChange={() => onChange(isEvery ? [] : ['*'])} />
        {words.everyEvent}
      </label>
      {EVENT_TYPES.map((type) => {
        const isChosen = isEvery || events.includes(type);
        return (
          <label key={type}>
            <input
              type="checkbox"
              checked={isChosen}
              disabled={isEvery}
              onChange={() => onChange(isChosen ? events.filter((one) => one !== type) : [...events, type])}
            />
            <span>
              <code>{type}</code> <small>{eventWords(type)}</small>
            </span>
          </label>
        );
      })}
      {problem && (
        <p className={styles.problem} role="alert">
          {problem}
        </p>
      )}
    </fieldset>
  );
}
