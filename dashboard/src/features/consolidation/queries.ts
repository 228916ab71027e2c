import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { api } from '../../api/client.ts';
import type { Replies } from '../../api/types.gen.ts';
import { keepPreviousOf } from '../../shared/query/keep-previous-of.ts';
import type { Environment } from '../../shared/routing/parents.ts';
import { useEnvironment } from '../../shared/routing/use-environment.ts';
import { userKey, useUserId } from '../../shared/user/head.ts';
import type { Draft, KeyChange } from './draft.ts';

export type Editor = Replies['readConsolidationEditor'];
export type Preview = {
  readonly changes: readonly {
    readonly metric: string;
    readonly date: string;
    readonly from: number | null;
    readonly to: number | null;
  }[];
  readonly days_changed: number;
  readonly truncated: boolean;
  readonly reason: 'same_settings' | 'no_data' | 'one_source' | 'one_provider' | 'same_values' | null;
  readonly scores: readonly {
    readonly type: Replies['readScoreMatrix']['scores'][number]['type'];
    readonly date: string;
    readonly from: number | null;
    readonly to: number | null;
  }[];
};
export type TimedPreview = Preview & { readonly ms: number };

type User = { readonly environment: Environment; readonly userId: string };

const PATIENCE_MS = 300; // a preview is asked for when nothing has been changed for as long
const COMPUTING_MS = 500; // how often the page looks whether the days are computed

const callOf = ({ environment, userId }: User) => `/${environment}/v1/users/${userId}/consolidation`;

export function editorQuery({ environment, userId }: User) {
  return queryOptions({
    queryKey: [...userKey(environment, userId), 'consolidation'],
    queryFn: ({ signal }) => api.get<Editor>(`/${environment}/users/${userId}/consolidation`, { signal }),
  });
}

/** Aborted when another one is asked for. The preview before stays on screen while it is of the same key. */
export function previewQuery(user: User, key: string, change: KeyChange | null) {
  const owner = [...userKey(user.environment, user.userId), 'consolidation', 'preview', key] as const;
  return queryOptions({
    queryKey: [...owner, change],
    enabled: change !== null,
    queryFn: async ({ signal }): Promise<TimedPreview> => {
      await wait(PATIENCE_MS, signal);
      const startMs = performance.now();
      const query = { preview: true, scores: true };
      const preview = await api.patch<Preview>(callOf(user), { metrics: { [key]: change } }, { query, signal });
      return { ...preview, ms: Math.round(performance.now() - startMs) };
    },
    placeholderData: keepPreviousOf(...owner),
  });
}

function wait(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      reject(signal.reason);
    });
  });
}

function readDayValue(
  { environment, userId }: User,
  { metric, date, signal }: { metric: string; date: string; signal: AbortSignal },
  query: Readonly<Record<string, string>> = {},
): Promise<Replies['explainDayValue']> {
  return api.get(`/${environment}/users/${userId}/days/${date}/values/${metric}`, { signal, query });
}

/** A value of a day by the settings in force, or as it would be by a draft. */
export function dayValueQuery(user: User, metric: string, date: string, draft: Draft | null) {
  const query = draft === null ? undefined : { method: draft.method, disabled: draft.off.join(',') };
  return queryOptions({
    queryKey: [...userKey(user.environment, user.userId), 'days', date, 'values', metric, ...(query ? [query] : [])],
    queryFn: ({ signal }) => readDayValue(user, { metric, date, signal }, query),
  });
}

type Expected = { readonly metric: string; readonly date: string; readonly to: number | null };

/** Asks until the day has the value that the preview announced. */
export function computedQuery(user: User, expected: Expected | null) {
  const { metric = '', date = '', to = null } = expected ?? {};
  return queryOptions({
    queryKey: [...userKey(user.environment, user.userId), 'consolidation', 'computed', metric, date, to],
    queryFn: ({ signal }) => readDayValue(user, { metric, date, signal }),
    enabled: expected !== null,
    staleTime: 0,
    refetchInterval: ({ state }) => (state.data?.value === to ? false : COMPUTING_MS),
  });
}

/** Everything about the user may change with its settings. */
export function useApply() {
  const environment = useEnvironment();
  const userId = useUserId();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: ({ key, change }: { key: string; change: KeyChange }) =>
      api.patch<{ readonly status: 'reconsolidating' | 'unchanged' }>(callOf({ environment, userId }), {
        metrics: { [key]: change },
      }),
    onSettled: () => queries.invalidateQueries({ queryKey: userKey(environment, userId) }),
  });
}
