import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { keysQuery } from '../../shared/query/keys-query.ts';
import { useEnvironment } from '../../shared/routing/use-environment.ts';
import { useHasRole, useSession } from '../../shared/session/session.ts';
import { Button } from '../../shared/ui/button.tsx';
import { Card } from '../../shared/ui/card.tsx';
import { Loaded } from '../../shared/ui/loaded.tsx';
import { Page } from '../../shared/ui/page.tsx';
import { Empty, Shape } from '../../shared/ui/states.tsx';
import styles from './keys.module.css';
import { CreateDialog } from './parts/create-dialog.tsx';
import { KeyCard } from './parts/key-card.tsx';
import { words } from './words.ts';

export function KeysPage() {
  const environment = useEnvironment();
  const keys = useQuery(keysQuery(environment));
  const session = useSession();
  const canChange = useHasRole('owner');
  const [isCreating, setCreating] = useState(false);
  const create = (
    <Button icon="plus" kind="first" onClick={() => setCreating(true)}>
      {words.create}
    </Button>
  );
  return (
    <Page
      title={words.title}
      note={words.note(environment)}
      actions={canChange && create}
      isRefreshing={keys.isRefetching}
    >
      <Loaded query={keys} what={words.notLoaded} shapes={<KeyShapes />}>
        {({ data }) =>
          data.length === 0 ? (
            <Card>
              <Empty title={words.emptyTitle} action={canChange ? create : null}>
                {words.empty}
              </Empty>
            </Card>
          ) : (
            <div className={styles.grid}>
              {data.map((key) => (
                <KeyCard key={key.id} apiKey={key} canChange={canChange} />
              ))}
            </div>
          )
        }
      </Loaded>
      <Card title={words.phonesTitle}>
        <p className={styles.note}>{words.phones}</p>
      </Card>
      {session && !canChange && <p className={styles.note}>{words.ownersOnly}</p>}
      {isCreating && <CreateDialog onClose={() => setCreating(false)} />}
    </Page>
  );
}

function KeyShapes() {
  return (
    <div className={styles.grid}>
      <Shape height={222} radius={12} />
      <Shape height={222} radius={12} />
    </div>
  );
}
