import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useEnvironment } from '../../shared/routing/use-environment.ts';
import { rateQuery } from './queries.ts';

/** Names of webhooks by their id. A webhook that was deleted has none. */
export type WebhookNames = ReadonlyMap<string, string>;

export function useWebhookNames(): WebhookNames {
  const { data } = useQuery(rateQuery(useEnvironment()));
  return useMemo(() => new Map(data?.flow.outlets.map(({ webhook_id, name }) => [webhook_id, name])), [data]);
}
