import { useQuery } from '@tanstack/react-query';
import { useHasRole } from '../../shared/session/session.ts';
import { day } from '../../shared/time/format-time.ts';
import { Card } from '../../shared/ui/card.tsx';
import { Facts } from '../../shared/ui/facts.tsx';
import { Loaded } from '../../shared/ui/loaded.tsx';
import { Shape } from '../../shared/ui/states.tsx';
import { number } from '../../shared/words/numbers.ts';
import { AppearanceCard } from './parts/appearance-card.tsx';
import { BasicsCard } from './parts/basics-card.tsx';
import { EndAccountCard } from './parts/end-account-card.tsx';
import { type Account, accountQuery } from './queries.ts';
import { words } from './words.ts';

export function AccountPage() {
  const account = useQuery(accountQuery);
  const canChange = useHasRole('owner');
  return (
    <Loaded query={account} what={words.accountNotLoaded} shapes={<Shape height={320} radius={12} />}>
      {(data) => (
        <>
          <AppearanceCard account={data} canChange={canChange} />
          <BasicsCard account={data} canChange={canChange} />
          <UsageCard account={data} />
          {canChange && <EndAccountCard account={data} />}
        </>
      )}
    </Loaded>
  );
}

function UsageCard({ account }: { account: Account }) {
  const usage = account.usage.map(({ environment, user_count, user_limit }) => {
    const limit = user_limit === null ? words.unlimited : words.ofLimit(number(user_limit));
    return [words.usersOf[environment], `${number(user_count)} ${limit}`] as const;
  });
  return (
    <Card title={words.limits}>
      <Facts
        facts={[
          ...usage,
          [words.billing, account.billing_status],
          [words.accountId, <code key="id">{account.id}</code>],
          [words.created, day(account.created_at)],
        ]}
      />
    </Card>
  );
}
