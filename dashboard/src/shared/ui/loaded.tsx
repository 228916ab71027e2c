import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Failure, Loading } from './states.tsx';

type Props<Data> = {
  readonly query: UseQueryResult<Data>;
  /** What could not be done, if it fails: "The keys could not be loaded." */
  readonly what?: string;
  /** Shapes in the size of what comes. */
  readonly shapes?: ReactNode;
  readonly children: (data: Data) => ReactNode;
};

/** Shows shapes, a failure, or the data of a query. Data stays on screen while newer data loads or fails to load. */
export function Loaded<Data>({ query, what, shapes, children }: Props<Data>) {
  if (query.data !== undefined) return children(query.data);
  if (query.isError)
    return <Failure error={query.error} onRetry={() => void query.refetch()} {...(what && { what })} />;
  return <Loading>{shapes}</Loading>;
}
