import { useMutation, useQueryClient } from '@tanstack/react-query';
import { api } from '../../api/client.ts';
import { keysQuery } from '../../shared/query/keys-query.ts';
import type { Environment } from '../../shared/routing/parents.ts';
import { useEnvironment } from '../../shared/routing/use-environment.ts';

/** The answer of creating and rotating: the key itself, once. */
export type NewKey = { readonly id: string; readonly name: string; readonly key: string };

export function useCreateKey() {
  return useKeyChange((environment, { name }: { name: string }) => api.post<NewKey>(`/${environment}/keys`, { name }));
}

export function useRotateKey() {
  return useKeyChange((environment, { id, overlapHours }: { id: string; overlapHours: number }) =>
    api.post<NewKey>(`/${environment}/keys/${id}/rotate`, { overlap_hours: overlapHours }),
  );
}

export function useEndKey() {
  return useKeyChange((environment, { id }: { id: string }) => api.delete<null>(`/${environment}/keys/${id}`));
}

function useKeyChange<Input, Result>(change: (environment: Environment, input: Input) => Promise<Result>) {
  const environment = useEnvironment();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (input: Input) => change(environment, input),
    onSettled: () => queries.invalidateQueries({ queryKey: keysQuery(environment).queryKey }),
  });
}
