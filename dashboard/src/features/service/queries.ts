import { queryOptions } from '@tanstack/react-query';
import { api } from '../../api/client.ts';
import type { Replies } from '../../api/types.gen.ts';

export type ServiceState = Replies['readService'];
export type Process = ServiceState['processes'][number];
export type Stage = ServiceState['stages'][number];

const REFRESH_MS = 10_000; // as often as processes report themselves

export const serviceQuery = queryOptions({
  queryKey: ['service'],
  queryFn: ({ signal }) => api.get<ServiceState>('/service', { signal }),
  refetchInterval: REFRESH_MS,
});
