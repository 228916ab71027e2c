import { number, plural } from '../../shared/words/numbers.ts';
import type { Filter } from './search.ts';

export const SCORES = [
  ['recovery_score', 'Recovery'],
  ['sleep_score', 'Sleep'],
  ['strain_score', 'Strain'],
] as const;

const MAX_COUNTED = 100;

export const words = {
  title: 'Users',
  note: (total: number, environment: string) =>
    `${plural(total, 'person', 'people')} in ${environment === 'live' ? 'live' : 'the sandbox'}`,
  search: 'Reference, id, mail or metadata',
  filters: 'Filter users',
  all: 'All',
  filter: { attention: 'Needs attention', no_data: 'No data for 3 days', overrides: 'Overrides' } satisfies Record<
    Filter,
    string
  >,
  notLoaded: 'The users could not be loaded.',
  list: 'Users',
  reference: 'Reference',
  devices: 'Devices',
  week: 'Last seven days',
  lastData: 'Last data',
  never: 'never',
  reconnect: 'reconnect',
  noData: 'no data',
  overrides: (count: number) => plural(count, 'override'),
  more: 'More people match. Type more of the reference to find one.',
  newUser: 'New user',
  nobody: 'Nobody matches',
  nobodyNote: 'Search looks at the beginning of references, ids, mail addresses and words of the metadata.',
  showAll: 'Show all users',
  empty: 'No users yet',
  emptyNote: 'Your backend creates a user for each person. Use an API key of this environment:',
  emptySandbox: 'A new sandbox user comes with a week of data from several devices.',
  lookedFurther: 'Look further',
  create: 'Create the user',
  cancel: 'Cancel',
  referenceHint: 'Your own id for the person, unique in this environment.',
  zone: 'Time zone',
  sandboxHint: 'The sandbox gives the person a week of data.',
};

/** 100 is counted as "99+". */
export function countText(count: number): string {
  return count >= MAX_COUNTED ? '99+' : number(count);
}
