import type { Replies } from '../../api/types.gen.ts';
import { plural } from '../../shared/words/numbers.ts';
import type { LogKind } from './log-kind.ts';

type Entry = Replies['listUserLog']['data'][number];
type SyncOutcome = NonNullable<Entry['sync']>['outcome'];

export const words = {
  log: 'Log',
  notLoaded: 'The log could not be loaded.',
  filters: 'Kinds of entries',
  all: 'All',
  kinds: {
    events: 'Events',
    uploads: 'Uploads',
    syncs: 'Syncs',
    deliveries: 'Deliveries',
    changes: 'Settings',
    looks: 'Views by members',
  } satisfies Record<LogKind, string>,
  kindOf: {
    events: 'Event',
    uploads: 'Upload',
    syncs: 'Sync',
    deliveries: 'Delivery',
    changes: 'Setting',
    looks: 'View',
  } satisfies Record<LogKind, string>,
  emptyTitle: 'Nothing has happened yet',
  empty:
    'Uploads, syncs, events and deliveries of this user appear here. Connect a device, or upload with the mobile SDK.',
  emptyOf: (kind: string) => `No entry of this kind: ${kind}.`,
  newEntries: 'Newer entries arrived while you read.',
  showNew: 'Show them',
  what: 'What',
  details: 'Details',
  source: 'Source',
  kind: 'Kind',
  when: (zone: string) => `Time in ${zone}`,
  json: 'The entry as JSON',
  copyId: 'the id',
  id: 'Id',
  rejectedItems: 'Rejected items',
  moreRejected: (count: number) => `and ${plural(count, 'further item')}`,
  item: 'Item',
  reason: 'Reason',
  openDay: (date: string) => `Open ${date}`,

  upload: 'Upload',
  accepted: (count: number) => `${plural(count, 'item')} accepted`,
  rejected: (count: number) => `${count} rejected`,
  duplicates: (count: number) => `${count} already stored`,
  deleted: (count: number) => `${count} deleted`,
  includesDeletions: 'includes deletions',
  syncs: { poll: 'Poll', webhook: 'Provider webhook', backfill: 'History' },
  outcomes: {
    changed: 'new data',
    unchanged: 'nothing new',
    no_budget: 'request budget used up',
    rate_limited: 'the provider asked us to wait',
    unavailable: 'the provider is unavailable',
    unauthorized: 'the provider did not accept the token',
    refused: 'the provider rejected the tokens permanently',
    forbidden: 'the provider does not share it',
    wrong: 'the response could not be read',
    parked: 'parked after five attempts',
  } satisfies Record<SyncOutcome, string>,
  runs: (count: number) => `${count} runs`,
  dropped: (count: number) => `${plural(count, 'value')} dropped`,
  deliveries: { succeeded: 'Delivered', failed: 'Delivery failed', pending: 'Delivery waiting' } as Record<
    string,
    string
  >,
  attempts: (count: number) => plural(count, 'attempt'),
  status: (status: number) => `status ${status}`,
  changes: {
    'consolidation.changed': 'Consolidation changed',
    'user.data_imported': 'Data imported',
    'user.viewed': 'Data viewed',
  } as Record<string, string>,
  by: (who: string, via: string) => `by ${who}, ${via}`,
  actors: { operator: 'the operator', cli: 'the operator', api_key: 'an API key', service: 'the service' } as Record<
    string,
    string
  >,
  vias: {
    dashboard: 'in the dashboard',
    api: 'with the API',
    cli: 'on the command line',
    service: 'automatically',
  } as Record<string, string>,
};
