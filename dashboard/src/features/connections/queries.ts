import { infiniteQueryOptions, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { api } from '../../api/client.ts';
import type { Replies } from '../../api/types.gen.ts';
import type { Environment } from '../../shared/routing/parents.ts';
import { useEnvironment } from '../../shared/routing/use-environment.ts';
import { userKey, useUserId } from '../../shared/user/head.ts';

export type Connections = Replies['listConnections'];
export type Connection = Connections['connections'][number];
export type SyncRun = Replies['listDeviceSyncs']['data'][number];
type ConnectableProvider = {
  readonly provider: string;
  readonly display_name: string;
  readonly device_class: string;
  readonly history_days: number;
  readonly configured: boolean;
};

const FAST_MS = 2_000; // while a person connects or history is fetched
const SLOW_MS = 15_000;

export function connectionsQuery(environment: Environment, userId: string) {
  return queryOptions({
    queryKey: [...userKey(environment, userId), 'connections'],
    queryFn: ({ signal }) => api.get<Connections>(`/${environment}/users/${userId}/connections`, { signal }),
    refetchInterval: ({ state }) => (state.data?.connections.some(isMoving) ? FAST_MS : SLOW_MS),
  });
}

/** Something is about to change, so that the page asks more often. */
function isMoving({ status, backfill }: Connection): boolean {
  return status === 'pending' || backfill.state === 'waiting' || backfill.state === 'running';
}

/** Older sync runs of a device. */
export function syncsQuery(environment: Environment, userId: string, deviceId: string) {
  return infiniteQueryOptions({
    queryKey: [...userKey(environment, userId), 'syncs', deviceId],
    queryFn: ({ pageParam, signal }) =>
      api.get<Replies['listDeviceSyncs']>(`/${environment}/users/${userId}/devices/${deviceId}/log`, {
        query: { cursor: pageParam ?? undefined },
        signal,
      }),
    initialPageParam: null as string | null,
    getNextPageParam: ({ next_cursor }) => next_cursor,
  });
}

export function connectableProvidersQuery(environment: Environment) {
  return queryOptions({
    queryKey: [environment, 'providers', 'connectable'],
    queryFn: ({ signal }) =>
      api.get<{ readonly data: readonly ConnectableProvider[] }>(`/${environment}/v1/providers`, { signal }),
  });
}

type Begun = { readonly id: string; readonly auth_url: string };

export function useBeginConnection() {
  return useDeviceChange(async (path, provider: string): Promise<Begun> => {
    const reply = await api.post<Begun | { readonly data: Begun }>(path, { provider });
    return 'data' in reply ? reply.data : reply; // one API form wraps it
  });
}

export function useSync() {
  return useDeviceChange((path, deviceId: string) => api.post<unknown>(`${path}/${deviceId}/sync`));
}

export function useRemoveDevice() {
  return useDeviceChange((path, deviceId: string) => api.delete<null>(`${path}/${deviceId}`));
}

/** Everything about the user may change with its devices. */
function useDeviceChange<Input, Result>(change: (path: string, input: Input) => Promise<Result>) {
  const environment = useEnvironment();
  const userId = useUserId();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (input: Input) => change(`/${environment}/v1/users/${userId}/devices`, input),
    onSettled: () => queries.invalidateQueries({ queryKey: userKey(environment, userId) }),
  });
}
