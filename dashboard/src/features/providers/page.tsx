import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useEnvironment } from '../../shared/routing/use-environment.ts';
import { useHasRole, useSession } from '../../shared/session/session.ts';
import { buttonClass } from '../../shared/ui/button.tsx';
import { CsvButton } from '../../shared/ui/csv-button.tsx';
import { Icon } from '../../shared/ui/icon.tsx';
import { Loaded } from '../../shared/ui/loaded.tsx';
import { Page } from '../../shared/ui/page.tsx';
import { Shape } from '../../shared/ui/states.tsx';
import { orderProviders } from './describe-provider.ts';
import { ProviderCard } from './parts/provider-card.tsx';
import styles from './providers.module.css';
import { type ProviderSetup, setupsQuery } from './queries.ts';
import { words } from './words.ts';

export function ProvidersPage() {
  const environment = useEnvironment();
  const providers = useQuery(setupsQuery(environment));
  const session = useSession();
  const isOwner = useHasRole('owner');
  return (
    <Page
      title={words.title}
      note={words.note[environment]}
      isRefreshing={providers.isRefetching}
      actions={
        <>
          {providers.data && <CsvButton rows={providers.data.data} columns={COLUMNS} name="providers.csv" />}
          {environment === 'sandbox' && (
            <Link to="/$environment/scenarios" params={{ environment }} search={{}} className={buttonClass()}>
              <Icon name="bolt" size={15} />
              {words.scenarios}
            </Link>
          )}
        </>
      }
    >
      <Loaded query={providers} what={words.notLoaded} shapes={<Shapes />}>
        {({ data }) => (
          <div className={styles.grid}>
            {orderProviders(data).map((provider) => (
              <ProviderCard
                key={`${environment} ${provider.provider}`}
                provider={provider}
                canChange={isOwner && environment === 'live'}
              />
            ))}
          </div>
        )}
      </Loaded>
      {session && !isOwner && environment === 'live' && <p className={styles.note}>{words.ownersOnly}</p>}
    </Page>
  );
}

const COLUMNS = [
  { name: 'provider', cell: () => null, csv: (one: ProviderSetup) => one.provider },
  { name: 'application', cell: () => null, csv: (one: ProviderSetup) => one.application },
  { name: 'redirect_uri', cell: () => null, csv: (one: ProviderSetup) => one.redirect_uri },
  { name: 'active', cell: () => null, csv: (one: ProviderSetup) => one.health.people.active },
  { name: 'reauthorize', cell: () => null, csv: (one: ProviderSetup) => one.health.people.reauthorize },
  { name: 'budget_used', cell: () => null, csv: (one: ProviderSetup) => one.health.budget?.used ?? null },
  { name: 'budget_limit', cell: () => null, csv: (one: ProviderSetup) => one.health.budget?.of ?? null },
];

function Shapes() {
  return (
    <div className={styles.grid}>
      {[1, 2, 3, 4].map((key) => (
        <Shape key={key} height={260} radius={12} />
      ))}
    </div>
  );
}
