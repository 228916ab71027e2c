import { type InfiniteData, type UseInfiniteQueryResult, useQuery } from '@tanstack/react-query';
import { mergeNewer } from './merge-newer.ts';

type PageOf<Row> = { readonly data: readonly Row[] };

type Latest<Row> = {
  readonly queryKey: readonly unknown[];
  /** Reads the first page again. */
  readonly read: (signal: AbortSignal) => Promise<PageOf<Row>>;
};

const LOOK_MS = 5_000;

/** The rows of a list that follows time, and how many newer ones there are. */
export function useFollowedPages<Row extends { readonly id: string }>(
  pages: UseInfiniteQueryResult<InfiniteData<PageOf<Row>>>,
  latest: Latest<Row>,
) {
  const isShown = pages.isSuccess && !pages.isPlaceholderData;
  const first = isShown ? pages.data.pages[0] : undefined;
  const newest = useQuery<PageOf<Row>>({
    queryKey: latest.queryKey,
    queryFn: ({ signal }) => latest.read(signal),
    enabled: isShown,
    refetchInterval: LOOK_MS,
    staleTime: LOOK_MS,
    ...(first && { initialData: first, initialDataUpdatedAt: pages.dataUpdatedAt }),
  });
  const shown = pages.data?.pages.flatMap(({ data }) => data) ?? [];
  const { rows, newer } = mergeNewer(shown, isShown ? (newest.data?.data ?? []) : []);
  return { rows, newer, showNewer: () => void pages.refetch() };
}
