// Explains a daily value (an addition to the specification).

import { parseLocalDate } from '../../../domain/time/calendar.ts';
import { AppError } from '../../../platform/errors.ts';
import { dialect, type Reply, type Route, twoFormRoute } from '../../../platform/http/route.ts';
import { Type } from '../../../platform/json-schema.ts';
import { type ExplainedDay, explainDay } from '../../pipeline/ingest/index.ts';
import { openForRead } from '../shared/index.ts';
import { explainQuery, explanation } from './explain-schemas.ts';
import { parseExplainable } from './parse-metrics.ts';
import { presentExplanation } from './present-explanation.ts';

const body = (explained: ExplainedDay) => presentExplanation(explained);

export const explainRoutes: readonly Route[] = [
  twoFormRoute({
    method: 'GET',
    path: '/v1/users/:user_id/daily/explain',
    operationId: 'explainDaily',
    tag: 'Explanations',
    summary: 'Explain a daily value: every device that reported one, and how it was used',
    description:
      'Lists every device with its value, rank, outcome and reason. Derived metrics also have the formula and its inputs; metrics of a night or workout have the records they come from. Use it to find out why a value differs from the one in an app.',
    access: { to: 'api_key', billing: 'checked' },
    healthDataOf: 'path_user',
    isConditional: true,
    cost: 'large_read',
    dialects: {
      1: dialect({
        params: ['user_id'],
        query: explainQuery,
        replies: { 200: Type.Object({ data: explanation }, { title: 'DailyExplanationEnvelopeForm1' }) },
        parse: ({ params, query }) => ({ userId: params.user_id, ...query }),
        present: (explained: ExplainedDay): Reply => ({ status: 200, body: { data: body(explained) } }),
      }),
      2: dialect({
        params: ['user_id'],
        query: explainQuery,
        replies: { 200: explanation },
        parse: ({ params, query }) => ({ userId: params.user_id, ...query }),
        present: (explained: ExplainedDay): Reply => ({ status: 200, body: body(explained) }),
      }),
    },
    errors: ['not_found', 'invalid_metric'],
    async handle(context, input) {
      const metric = parseExplainable(input.metric);
      const date = parseLocalDate(input.date);
      if (date === null) throw new AppError('invalid_parameter', { details: { issues: [BAD_DATE] } });
      const user = await openForRead(context, input.userId);
      context.revalidate(String(user.dataRevision));
      return context.services.db.transaction((tx) => explainDay(tx, user, metric, date));
    },
  }),
];

const BAD_DATE = { path: 'date', message: 'must be a date such as 2026-01-31' };
