import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useEnvironment } from '../../shared/routing/use-environment.ts';
import { useHasRole } from '../../shared/session/session.ts';
import { readerZone } from '../../shared/time/format-time.ts';
import { Button } from '../../shared/ui/button.tsx';
import { Card } from '../../shared/ui/card.tsx';
import { Loaded } from '../../shared/ui/loaded.tsx';
import { Empty, Shape } from '../../shared/ui/states.tsx';
import { useUserId } from '../../shared/user/head.ts';
import styles from './connections.module.css';
import { sortConnections } from './describe-connection.ts';
import { ConnectDialog } from './parts/connect-dialog.tsx';
import { ConnectionCard } from './parts/connection-card.tsx';
import { ProviderButtons } from './parts/provider-buttons.tsx';
import { type Connections, connectionsQuery } from './queries.ts';
import { words } from './words.ts';

export function ConnectionsPage() {
  const query = useQuery(connectionsQuery(useEnvironment(), useUserId()));
  const { connect } = useSearch({ strict: false }) as { connect?: string };
  const canChange = useHasRole('developer');
  const setConnect = useSetConnect();
  return (
    <>
      <Loaded query={query} what={words.notLoaded} shapes={<Shapes />}>
        {(data) => <Body data={data} canChange={canChange} onConnect={setConnect} />}
      </Loaded>
      {canChange && connect !== undefined && (
        <ConnectDialog
          provider={connect === 'choose' ? null : connect}
          connections={query.data?.connections ?? []}
          onProvider={setConnect}
          onClose={() => setConnect(null)}
        />
      )}
    </>
  );
}

type BodyProps = { data: Connections; canChange: boolean; onConnect: (provider: string) => void };

function Body({ data: { zone, connections }, canChange, onConnect }: BodyProps) {
  if (connections.length === 0)
    return (
      <Card>
        <Empty title={words.emptyTitle} action={canChange ? <ProviderButtons onChoose={onConnect} /> : null}>
          {canChange ? words.empty : words.developersOnly}
        </Empty>
      </Card>
    );
  return (
    <div className={styles.cards}>
      {canChange && (
        <div className={styles.bar}>
          <Button icon="link" kind="first" onClick={() => onConnect('choose')}>
            {words.connect}
          </Button>
        </div>
      )}
      {sortConnections(connections).map((connection) => (
        <ConnectionCard
          key={connection.id}
          connection={connection}
          zone={zone ?? readerZone()}
          canChange={canChange}
          onConnect={onConnect}
        />
      ))}
      {!canChange && <p className={styles.note}>{words.developersOnly}</p>}
    </div>
  );
}

/** The dialog has an address, so that a link opens it. */
function useSetConnect(): (provider: string | null) => void {
  const navigate = useNavigate();
  return (provider) =>
    void navigate({
      to: '.',
      search: (provider === null ? {} : { connect: provider }) as never,
      replace: provider === null,
    });
}

function Shapes() {
  return (
    <div className={styles.cards}>
      <Shape height={260} radius={12} />
      <Shape height={180} radius={12} />
    </div>
  );
}
