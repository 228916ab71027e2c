// Sleep sessions of a user, in both forms.
import { type Route, twoFormRoute } from '../../../platform/http/route.ts';
import * as form1 from './form1.ts';
import * as form2 from './form2.ts';
import { readSleep } from './read-sleep.ts';

export const sleepRoutes: readonly Route[] = [
  twoFormRoute({
    method: 'GET',
    path: '/v1/users/:user_id/sleep',
    operationId: 'listSleep',
    tag: 'Data reads',
    summary: 'List sleep sessions, newest first',
    description:
      'A sleep counts toward the local day on which it ends. If several devices recorded the same sleep, the list has it once: times, stages and minutes come from the most detailed record, and each vital from the highest-ranked record that has it.',
    access: { to: 'api_key_or_own_user', billing: 'checked', userParameter: 'user_id' },
    healthDataOf: 'path_user',
    dialects: { 1: form1.list, 2: form2.list, bare: 2 },
    isConditional: true,
    cost: 'large_read',
    errors: ['not_found', 'range_too_long', 'invalid_range', 'invalid_cursor'],
    handle: readSleep,
  }),
];
