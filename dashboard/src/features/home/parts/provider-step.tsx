import { EnvironmentLink } from '../../../shared/routing/environment-link.tsx';
import { useEnvironment } from '../../../shared/routing/use-environment.ts';
import { buttonClass } from '../../../shared/ui/button.tsx';
import { providerName } from '../../../shared/user/devices.ts';
import { CLOUD_PROVIDER_NAMES } from '../../../shared/user/provider-names.gen.ts';
import styles from '../first-steps.module.css';
import { words } from '../words.ts';

const PROVIDERS = Object.keys(CLOUD_PROVIDER_NAMES);

export function ProviderStep({ userId }: { userId: string | null }) {
  const environment = useEnvironment();
  if (environment === 'live')
    return (
      <p className={styles.heard}>
        <EnvironmentLink path="providers" className={buttonClass()}>
          {words.openProviders}
        </EnvironmentLink>
      </p>
    );
  if (userId === null) return <p className={styles.heard}>{words.needsUser}</p>;
  return (
    <ul className={styles.providers} aria-label={words.chooseProvider}>
      {PROVIDERS.map((provider) => (
        <li key={provider}>
          <EnvironmentLink path={`users/${userId}/connections?connect=${provider}`} className={buttonClass()}>
            {providerName(provider)}
          </EnvironmentLink>
        </li>
      ))}
    </ul>
  );
}
