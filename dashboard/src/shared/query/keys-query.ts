import { queryOptions } from '@tanstack/react-query';
import { api } from '../../api/client.ts';
import type { Replies } from '../../api/types.gen.ts';
import type { Environment } from '../routing/parents.ts';

export type ApiKey = Replies['listKeys']['data'][number];

export function keysQuery(environment: Environment) {
  return queryOptions({
    queryKey: [environment, 'keys'],
    queryFn: ({ signal }) => api.get<Replies['listKeys']>(`/${environment}/keys`, { signal }),
  });
}
