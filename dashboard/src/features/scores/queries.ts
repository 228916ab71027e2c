import { queryOptions } from '@tanstack/react-query';
import { api } from '../../api/client.ts';
import type { Replies } from '../../api/types.gen.ts';
import { keepPreviousOf } from '../../shared/query/keep-previous-of.ts';
import type { Environment } from '../../shared/routing/parents.ts';
import { addDays } from '../../shared/time/dates.ts';
import { userKey } from '../../shared/user/head.ts';

export type Matrix = Replies['readScoreMatrix'];
export type ScoreColumn = Matrix['scores'][number];
export type ExplainedScore = ScoreColumn['explained'];
export type Factor = ExplainedScore['factors'][number];
export type ScoreType = ScoreColumn['type'];

export function matrixQuery(environment: Environment, user: string, date: string, days: number) {
  const query = { start_date: addDays(date, 1 - days), end_date: date };
  return queryOptions({
    queryKey: [...userKey(environment, user), 'scores', query],
    queryFn: ({ signal }) => api.get<Matrix>(`/${environment}/users/${user}/scores/matrix`, { query, signal }),
    placeholderData: keepPreviousOf(...userKey(environment, user)),
  });
}
