// Daily values of a user, in both forms.
import { type Route, twoFormRoute } from '../../../platform/http/route.ts';
import * as form1 from './form1.ts';
import * as form2 from './form2.ts';
import { isLongRead, readDaily } from './read-daily.ts';

export const dailyRoutes: readonly Route[] = [
  twoFormRoute({
    method: 'GET',
    path: '/v1/users/:user_id/daily',
    operationId: 'readDaily',
    tag: 'Data reads',
    summary: 'Read daily values: one value per metric and day',
    description:
      "Days are calendar days in the user's time zone. Form 1 accepts up to 90 days per request, Form 2 up to 366.",
    access: { to: 'api_key_or_own_user', billing: 'checked', userParameter: 'user_id' },
    healthDataOf: 'path_user',
    dialects: { 1: form1.daily, 2: form2.daily, bare: 2 },
    isConditional: true,
    cost: ({ services }, query) => (isLongRead(query, services.clock.now()) ? 'large_read' : 'cheap'),
    errors: ['not_found', 'invalid_metric', 'range_too_long', 'invalid_range', 'invalid_types'],
    handle: readDaily,
  }),
];
