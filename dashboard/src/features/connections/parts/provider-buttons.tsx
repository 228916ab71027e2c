import { useQuery } from '@tanstack/react-query';
import { useEnvironment } from '../../../shared/routing/use-environment.ts';
import { Loaded } from '../../../shared/ui/loaded.tsx';
import styles from '../connections.module.css';
import { connectableProvidersQuery } from '../queries.ts';
import { words } from '../words.ts';

/** Every provider as a button; one that is not set up says what to do. */
export function ProviderButtons({ onChoose }: { onChoose: (provider: string) => void }) {
  const providers = useQuery(connectableProvidersQuery(useEnvironment()));
  return (
    <Loaded query={providers}>
      {({ data }) => (
        <ul className={styles.providers}>
          {data.map(({ provider, display_name, configured, history_days }) => (
            <li key={provider}>
              <button type="button" disabled={!configured} onClick={() => onChoose(provider)}>
                <img src={`/providers/${provider}.svg`} alt="" width={28} height={28} />
                <span>
                  <b>{display_name}</b>
                  <small>{configured ? words.historyDays(history_days) : words.notConfigured}</small>
                </span>
              </button>
            </li>
          ))}
        </ul>
      )}
    </Loaded>
  );
}
