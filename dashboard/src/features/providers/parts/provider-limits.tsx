import { Icon } from '../../../shared/ui/icon.tsx';
import { Pill } from '../../../shared/ui/pill.tsx';
import styles from '../providers.module.css';
import type { ProviderSetup } from '../queries.ts';
import { RESTRICTIONS, words } from '../words.ts';

/** What the terms of a provider forbid, and which parts of its connector are off. Nothing for most providers. */
export function ProviderLimits({ provider }: { provider: ProviderSetup }) {
  const { display_name: name, restrictions, passed_on: isPassedOn, unconfirmed } = provider;
  return (
    <>
      {restrictions.length > 0 && (
        <section className={styles.limits} aria-label={words.restrictionsOf(name)}>
          <h3>
            <Icon name="shield" size={14} />
            {words.restrictions}
          </h3>
          <ul>
            {restrictions.map(({ kind, description }) => (
              <li key={kind}>
                <b>{RESTRICTIONS[kind] ?? kind}</b> {description}
              </li>
            ))}
          </ul>
          <p>{isPassedOn ? words.passedOn : words.notPassedOn}</p>
        </section>
      )}
      {unconfirmed.length > 0 && (
        <section className={styles.limits} aria-label={words.unconfirmedOf(name)}>
          <h3>{words.unconfirmed}</h3>
          <ul>
            {unconfirmed.map(({ part, reason, enabled }) => (
              <li key={part}>
                <b>{part}</b> <Pill tone={enabled ? 'good' : 'plain'}>{enabled ? words.partOn : words.partOff}</Pill>{' '}
                {reason}
              </li>
            ))}
          </ul>
        </section>
      )}
    </>
  );
}
