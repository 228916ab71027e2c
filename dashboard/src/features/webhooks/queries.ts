import { infiniteQueryOptions, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { api } from '../../api/client.ts';
import type { Replies } from '../../api/types.gen.ts';
import type { EventType } from '../../shared/event/event-types.ts';
import { keepPreviousOf } from '../../shared/query/keep-previous-of.ts';
import type { Environment } from '../../shared/routing/parents.ts';
import { useEnvironment } from '../../shared/routing/use-environment.ts';
import { type DeliveryFilter, filterParameters } from './delivery-filter.ts';

export type Webhook = Replies['getWebhookHealth']['data'];
export type Delivery = Replies['searchDeliveries']['data'][number];
export type Attempt = Delivery['attempts'][number];
export type InspectedDelivery = Replies['inspectDelivery']['data'];
export type WebhookFields = {
  readonly url: string;
  readonly events: Webhook['events'];
  readonly description: string | null;
};
type NewSecret = { readonly id: string; readonly url: string; readonly secret: string };

const LOOK_MS = 5_000;
const LOOK_SOON_MS = 1_000;
const SOON_MS = 10_000;

export function webhooksQuery(environment: Environment) {
  return queryOptions({
    queryKey: [environment, 'webhooks'],
    queryFn: ({ signal }) => api.get<Replies['listWebhookHealth']>(`/${environment}/webhooks`, { signal }),
    refetchInterval: LOOK_MS,
  });
}

export function webhookQuery(environment: Environment, id: string) {
  return queryOptions({
    queryKey: [environment, 'webhooks', id],
    queryFn: ({ signal }) => api.get<Replies['getWebhookHealth']>(`/${environment}/webhooks/${id}`, { signal }),
    refetchInterval: LOOK_MS,
  });
}

type Search = { readonly webhookId?: string; readonly filter: DeliveryFilter };

export function deliveryParameters({ webhookId, filter }: Search) {
  return { webhook_id: webhookId, ...filterParameters(filter) };
}

/** Pages that stay as they are until the reader asks for newer ones. */
export function deliveriesQuery(environment: Environment, search: Search) {
  return infiniteQueryOptions({
    queryKey: [environment, 'deliveries', 'pages', search],
    queryFn: ({ signal, pageParam }) =>
      api.get<Replies['searchDeliveries']>(`/${environment}/deliveries`, {
        query: { ...deliveryParameters(search), cursor: pageParam },
        signal,
      }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next_cursor }: Replies['searchDeliveries']) => next_cursor ?? undefined,
    placeholderData: keepPreviousOf(environment),
  });
}

/** For `useFollowedPages`. */
export function latestDeliveries(environment: Environment, search: Search) {
  return {
    queryKey: [environment, 'deliveries', 'latest', search],
    read: (signal: AbortSignal) =>
      api.get<Replies['searchDeliveries']>(`/${environment}/deliveries`, { query: deliveryParameters(search), signal }),
  };
}

/** Looks again soon while an attempt is under way or about to be. */
export function deliveryQuery(environment: Environment, id: string) {
  return queryOptions({
    queryKey: [environment, 'deliveries', 'one', id],
    queryFn: ({ signal }) => api.get<Replies['inspectDelivery']>(`/${environment}/deliveries/${id}`, { signal }),
    refetchInterval: ({ state }) => {
      const delivery = state.data?.data;
      if (delivery?.status !== 'pending') return LOOK_MS;
      const { next_attempt_at } = delivery;
      return next_attempt_at === null || Date.parse(next_attempt_at) - Date.now() < SOON_MS ? LOOK_SOON_MS : LOOK_MS;
    },
  });
}

type Saved<Data> = { readonly data: Data };

export function useCreateWebhook() {
  return useChange((environment, fields: WebhookFields) =>
    api.post<Saved<NewSecret>>(`/${environment}/v1/webhooks`, fields),
  );
}

export function useUpdateWebhook(id: string) {
  return useChange((environment, fields: Partial<WebhookFields> & { readonly status?: Webhook['status'] }) =>
    api.patch<unknown>(`/${environment}/v1/webhooks/${id}`, fields),
  );
}

export function useDeleteWebhook(id: string) {
  return useChange((environment, _: undefined) => api.delete<null>(`/${environment}/v1/webhooks/${id}`));
}

export function useRotateSecret(id: string) {
  return useChange((environment, _: undefined) =>
    api.post<Saved<NewSecret>>(`/${environment}/v1/webhooks/${id}/rotate-secret`),
  );
}

export function useSendTest(id: string) {
  return useChange((environment, type: EventType) =>
    api.post<Saved<{ readonly id: string }>>(`/${environment}/v1/webhooks/${id}/test`, undefined, {
      query: { event_type: type },
    }),
  );
}

export function useSendAgain({ webhook_id, id }: Pick<Delivery, 'webhook_id' | 'id'>) {
  return useChange((environment, _: undefined) =>
    api.post<unknown>(`/${environment}/v1/webhooks/${webhook_id}/deliveries/${id}/retry`),
  );
}

export function useRecover(id: string) {
  return useChange((environment, since: string) =>
    api.post<Replies['recoverDeliveries']>(`/${environment}/webhooks/${id}/recover`, { since }),
  );
}

/** How many deliveries a recovery since then would send again. */
export function recoverableQuery(environment: Environment, id: string, since: string | null) {
  return queryOptions({
    queryKey: [environment, 'webhooks', id, 'recoverable', since],
    queryFn: ({ signal }) =>
      api.post<Replies['recoverDeliveries']>(
        `/${environment}/webhooks/${id}/recover`,
        { since, dry_run: true },
        { signal },
      ),
    enabled: since !== null,
    placeholderData: keepPreviousOf(environment, 'webhooks', id),
  });
}

function useChange<Input, Result>(change: (environment: Environment, input: Input) => Promise<Result>) {
  const environment = useEnvironment();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (input: Input) => change(environment, input),
    onSettled: () =>
      Promise.all(
        ['webhooks', 'deliveries'].map((name) => queries.invalidateQueries({ queryKey: [environment, name] })),
      ),
  });
}
