import assert from 'node:assert/strict';
import { it } from 'node:test';
import { QueryClient, QueryObserver } from '@tanstack/react-query';
import { keepPreviousOf } from './keep-previous-of.ts';

const daily = (environment: string, user: string, days: number) => ({
  queryKey: [environment, 'users', user, 'daily', days],
  queryFn: () => new Promise<string>(() => undefined),
  placeholderData: keepPreviousOf(environment, 'users', user),
});

it('keeps the answer before for the same owner, and shows none of another one', () => {
  const client = new QueryClient();
  client.setQueryData(daily('live', 'a', 7).queryKey, 'seven days of a');
  const observer = new QueryObserver<string>(client, daily('live', 'a', 7));
  const end = observer.subscribe(() => undefined);
  const shown = (environment: string, user: string, days: number) => {
    observer.setOptions(daily('live', 'a', 7));
    observer.setOptions(daily(environment, user, days));
    return observer.getCurrentResult().data;
  };
  assert.equal(shown('live', 'a', 7), 'seven days of a');
  assert.equal(shown('live', 'a', 28), 'seven days of a');
  assert.equal(shown('live', 'b', 7), undefined);
  assert.equal(shown('sandbox', 'a', 7), undefined);
  end();
  client.clear();
});
