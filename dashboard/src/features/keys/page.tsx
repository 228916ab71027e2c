import { useQuery } from '@tanstack/react-query';
import { useEnvironment } from '../../shared/routing/use-environment.ts';
import { ago, day } from '../../shared/time/format-time.ts';
import { Card } from '../../shared/ui/card.tsx';
import { Facts } from '../../shared/ui/facts.tsx';
import { Loaded } from '../../shared/ui/loaded.tsx';
import { Page } from '../../shared/ui/page.tsx';
import { number } from '../../shared/words/numbers.ts';
import { keysQuery } from './queries.ts';
import { words } from './words.ts';

export function KeysPage() {
  const environment = useEnvironment();
  const keys = useQuery(keysQuery(environment));
  return (
    <Page title={words.title} note={words.note} isRefreshing={keys.isRefetching}>
      <Loaded query={keys} what={words.notLoaded}>
        {({ data }) =>
          data.map((key) => (
            <Card key={key.id} title={key.name}>
              <Facts
                facts={[
                  [words.ends, key.expires_at === null ? words.never : day(key.expires_at)],
                  [words.lastUsed, key.last_used_at === null ? words.never : ago(key.last_used_at)],
                  [words.requests, number(key.requests_24h)],
                ]}
              />
            </Card>
          ))
        }
      </Loaded>
    </Page>
  );
}
