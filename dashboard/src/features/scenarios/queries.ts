import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { api } from '../../api/client.ts';
import type { Bodies, Replies } from '../../api/types.gen.ts';

export type Fault = Replies['listFaults']['data'][number];

export const usersQuery = queryOptions({
  queryKey: ['sandbox', 'scenario users'],
  queryFn: ({ signal }) => api.get<Replies['listDirectory']>('/sandbox/users', { signal }),
});

export const faultsQuery = queryOptions({
  queryKey: ['sandbox', 'faults'],
  queryFn: ({ signal }) => api.get<Replies['listFaults']>('/sandbox/sandbox/faults', { signal }),
});

type CreatedUser = { readonly data: { readonly id: string; readonly reference_id: string } };

export function useCreatePerson() {
  return useSandboxChange((reference: string) =>
    api.post<CreatedUser>('/sandbox/v1/users', { reference_id: reference }),
  );
}

export function useRunScenario() {
  return useSandboxChange((body: Bodies['runScenario']) =>
    api.post<Replies['runScenario']>('/sandbox/sandbox/scenarios', body),
  );
}

export function useAddFault() {
  return useSandboxChange((body: Bodies['addFault']) => api.post<Fault>('/sandbox/sandbox/faults', body));
}

/** Null: all. */
export function useRemoveFault() {
  return useSandboxChange((id: number | null) =>
    api.delete(id === null ? '/sandbox/sandbox/faults' : `/sandbox/sandbox/faults/${id}`),
  );
}

/** Whatever is on screen of the sandbox may have changed. */
function useSandboxChange<Input, Result>(change: (input: Input) => Promise<Result>) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: change,
    onSuccess: () => queries.invalidateQueries({ queryKey: ['sandbox'] }),
  });
}
