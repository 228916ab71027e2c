import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { api } from '../../api/client.ts';
import type { Bodies, Replies } from '../../api/types.gen.ts';
import type { Environment } from '../../shared/routing/parents.ts';
import { useEnvironment } from '../../shared/routing/use-environment.ts';

export type ProviderSetup = Replies['listProviderSetups']['data'][number];
export type Health = ProviderSetup['health'];
export type Check = Replies['checkProvider']['checks'][number];

export function setupsQuery(environment: Environment) {
  return queryOptions({
    queryKey: [environment, 'providers', 'setups'],
    queryFn: ({ signal }) => api.get<Replies['listProviderSetups']>(`/${environment}/providers`, { signal }),
  });
}

export function useCheckProvider(provider: string) {
  const environment = useEnvironment();
  return useMutation({
    mutationFn: () => api.post<Replies['checkProvider']>(`/${environment}/providers/${provider}/check`),
  });
}

export function useSetApplication(provider: string) {
  return useApplicationChange((client: Bodies['setProviderApplication']) =>
    api.put(`/live/providers/${provider}/application`, client),
  );
}

export function useRemoveApplication(provider: string) {
  return useApplicationChange((_: undefined) => api.delete(`/live/providers/${provider}/application`));
}

function useApplicationChange<Input>(change: (input: Input) => Promise<unknown>) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: change,
    onSuccess: () => queries.invalidateQueries({ queryKey: ['live', 'providers'] }),
  });
}
