import { queryOptions } from '@tanstack/react-query';
import { api } from '../../api/client.ts';
import type { Environment } from '../../shared/routing/parents.ts';

export type ApiKey = {
  readonly id: string;
  readonly name: string;
  readonly last_four: string;
  readonly created_at: string;
  readonly created_by: string | null;
  readonly expires_at: string | null;
  readonly last_used_at: string | null;
  readonly last_used_agent: string | null;
  /** Set while a rotated key still works. */
  readonly ends_at: string | null;
  readonly requests_24h: number;
};

export function keysQuery(environment: Environment) {
  return queryOptions({
    queryKey: [environment, 'keys'],
    queryFn: ({ signal }) => api.get<{ readonly data: readonly ApiKey[] }>(`/${environment}/keys`, { signal }),
  });
}
