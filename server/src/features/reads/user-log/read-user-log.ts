// The log of a user: events, uploads, sync runs, deliveries, changes and looks of members in one list, newest first. Each list is
// read from where the page before ended.
import type { Queryable } from '../../../platform/db/database.ts';
import type { Services } from '../../../platform/services.ts';
import { listSyncLog, type SyncLogEntry } from '../../clouds/sync/index.ts';
import { listUploads, type UploadReceipt } from '../../intake/uploads/index.ts';
import { listEventsOfUser, type UserEvent } from '../../notify/events/index.ts';
import { type Delivery, listDeliveriesOfUser } from '../../notify/webhooks/index.ts';
import { listSourceLabels, type SourceLabel } from '../../store/devices/index.ts';
import { listAudit, type StoredAuditEntry } from '../../tenancy/accounts/index.ts';
import type { UserHandle } from '../../tenancy/user-core/index.ts';
import { openForRead, type ReadContext } from '../shared/index.ts';
import { LOG_KINDS, LOG_START, type LogEntry, type LogKind, type LogPosition, mergeLog } from './merge-log.ts';

export type LogItem =
  | { readonly event: UserEvent }
  | { readonly upload: UploadReceipt }
  | { readonly sync: SyncLogEntry }
  | { readonly delivery: Delivery }
  | { readonly change: StoredAuditEntry };

type UserLogInput = {
  readonly userId: string;
  readonly kinds: readonly LogKind[];
  readonly cursor: string | null;
  readonly limit: number;
};
export type UserLogPage = {
  readonly zone: string | null;
  readonly devices: readonly SourceLabel[];
  readonly entries: readonly LogEntry<LogItem>[];
  readonly nextCursor: string | null;
};

export async function readUserLog(
  context: ReadContext,
  { userId, kinds, cursor, limit }: UserLogInput,
): Promise<UserLogPage> {
  const { services } = context;
  const { db, cursors } = services;
  const user = await openForRead(context, userId);
  const scope = `user-log/${user.userId}/${kinds.join()}`;
  const start = cursor === null ? LOG_START : readPosition(cursors.decode(scope, cursor));
  const [devices, ...lists] = await Promise.all([
    listSourceLabels(db, user),
    ...kinds.map((kind) => READERS[kind](services, user, start[kind], limit + 1)),
  ]);
  const { entries, next } = mergeLog(lists, start, limit);
  const position = next && LOG_KINDS.map((kind) => next[kind]);
  return {
    zone: user.timezone,
    devices,
    entries,
    nextCursor: position && cursors.encode(scope, position),
  };
}

function readPosition(parts: readonly unknown[]): LogPosition {
  const entries = LOG_KINDS.map((kind, index) => [kind, parts[index] ?? null]);
  return Object.fromEntries(entries) as LogPosition;
}

type Reader = (
  services: Pick<Services, 'db'>,
  user: UserHandle,
  before: string | null,
  limit: number,
) => Promise<LogEntry<LogItem>[]>;

const NO_FILTER = { actor: null, action: null as string | null, subject: null, from: null, to: null };
/** A member looked at the user's data; once an hour at most. */
const LOOK = 'user.viewed';

const READERS: Readonly<Record<LogKind, Reader>> = {
  async events({ db }, user, before, limit) {
    const position = before === null ? null : Number(before);
    const events = await listEventsOfUser(db, user, { before: position, types: null, limit });
    return events.map((event) => ({
      kind: 'events',
      at: event.publishedAt,
      position: String(event.position),
      item: { event },
    }));
  },
  async uploads({ db }, user, before, limit) {
    const [time = '', uploadId = ''] = before?.split(' ') ?? [];
    const after = before === null ? null : { receivedAt: new Date(time), uploadId };
    const uploads = await listUploads(db, user, after, limit);
    return uploads.map((upload) => ({
      kind: 'uploads',
      at: upload.receivedAt,
      position: `${upload.receivedAt.toISOString()} ${upload.uploadId}`,
      item: { upload },
    }));
  },
  async syncs({ db }, user, before, limit) {
    const runs = await listSyncLog(db, user, { before, limit });
    return runs.map((sync) => ({ kind: 'syncs', at: sync.at, position: sync.id, item: { sync } }));
  },
  async deliveries({ db }, user, before, limit) {
    const deliveries = await listDeliveriesOfUser(db, user, { before, limit });
    return deliveries.map((delivery) => ({
      kind: 'deliveries',
      at: delivery.createdAt,
      position: delivery.id,
      item: { delivery },
    }));
  },
  changes: ({ db }, user, before, limit) =>
    readAudit(db, user, 'changes', { ...NO_FILTER, exceptAction: LOOK }, { before, limit }),
  looks: ({ db }, user, before, limit) =>
    readAudit(db, user, 'looks', { ...NO_FILTER, action: LOOK }, { before, limit }),
};

async function readAudit(
  db: Queryable,
  user: UserHandle,
  kind: LogKind,
  filter: typeof NO_FILTER & { readonly exceptAction?: string },
  page: { readonly before: string | null; readonly limit: number },
): Promise<LogEntry<LogItem>[]> {
  const changes = await listAudit(db, user.tenant.accountId, { ...filter, userId: user.userId }, page);
  return changes.map((change) => ({ kind, at: change.at, position: change.id, item: { change } }));
}
