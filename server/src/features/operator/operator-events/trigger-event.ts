// Emits an event for testing receivers. It is published and delivered like any other event.

import { findMetric, METRICS, type MetricId } from '../../../domain/metrics/index.ts';
import type { DeviceId, Environment } from '../../../domain/tenancy.ts';
import { type DateRange, type LocalDate, localDateAt, parseLocalDate } from '../../../domain/time/calendar.ts';
import type { Transaction } from '../../../platform/db/database.ts';
import { AppError, type Issue } from '../../../platform/errors.ts';
import type { Services } from '../../../platform/services.ts';
import { concernsData, type EventType, type NewEvent, recordEvent } from '../../notify/events/index.ts';
import { listSourceDevices } from '../../store/devices/index.ts';
import { type Actor, insertAudit } from '../../tenancy/accounts/index.ts';
import { getUserForOperatorOrThrow, lockUser, type UserHandle, userNotFound } from '../../tenancy/user-core/index.ts';
import { nameAccount } from './find-feed.ts';

type TriggerRequest = {
  readonly type: EventType;
  readonly userId: string;
  readonly metrics: readonly string[] | null;
  readonly from: string | null;
  readonly to: string | null;
};
export type TriggeredEvent = {
  readonly id: string;
  readonly account: string;
  readonly environment: Environment;
  readonly event: NewEvent;
};

const DATA_BY_DEFAULT = 'steps' as MetricId;
const SCORE_BY_DEFAULT = 'recovery_score' as MetricId;

export async function triggerEvent(
  services: Pick<Services, 'clock' | 'db'>,
  request: TriggerRequest,
  by: Actor,
): Promise<TriggeredEvent> {
  const { userId, tenant } = await getUserForOperatorOrThrow(services.db, request.userId);
  const now = services.clock.now();
  const account = await nameAccount(services, tenant);
  return services.db.transaction(async (tx) => {
    const locked = await lockUser(tx, tenant, userId);
    if (!locked) throw userNotFound(request.userId);
    const event = {
      type: request.type,
      ...readChanges(request, localDateAt(now.getTime(), locked.handle.timezone)),
      deviceId: await chooseDevice(tx, locked.handle, request.type),
    };
    const id = await recordEvent(tx, locked.handle, event, now);
    const entry = { ...tenant, at: now, actor: by, action: 'event.triggered', subject: id, userId };
    await insertAudit(tx, { ...entry, details: { event_type: request.type } });
    return { id, account, environment: tenant.environment, event };
  });
}

function readChanges(request: TriggerRequest, today: LocalDate): Pick<NewEvent, 'metrics' | 'days'> {
  const issues: Issue[] = [];
  const changes = concernsData(request.type)
    ? { metrics: readMetrics(request, issues), days: readDays(request, today, issues) }
    : {};
  if (!concernsData(request.type)) rejectChanges(request, issues);
  if (issues.length > 0) throw new AppError('invalid_body', { details: { issues } });
  return changes;
}

function rejectChanges({ type, metrics, from, to }: TriggerRequest, issues: Issue[]): void {
  const message = `not part of ${type}`;
  if (metrics !== null) issues.push({ path: 'metrics', message });
  if (from !== null || to !== null) issues.push({ path: 'days', message });
}

function readMetrics({ type, metrics }: TriggerRequest, issues: Issue[]): MetricId[] {
  const isOfScores = type === 'score.updated';
  if (metrics === null) return [isOfScores ? SCORE_BY_DEFAULT : DATA_BY_DEFAULT];
  const isFitting = (id: string) => {
    const metric = findMetric(id);
    return metric !== null && (metric.category === 'scores') === isOfScores;
  };
  const wrong = metrics.filter((id) => !isFitting(id));
  const message = `${isOfScores ? 'must be scores' : 'must be metrics of the catalog other than scores'}: ${wrong.join(', ')}`;
  if (wrong.length > 0) issues.push({ path: 'metrics', message });
  return METRICS.filter(({ id }) => metrics.includes(id)).map(({ id }) => id);
}

/** If one date is missing it equals the other; if both are missing they are today. */
function readDays(request: TriggerRequest, today: LocalDate, issues: Issue[]): DateRange {
  const read = (path: string, text: string | null) => {
    const date = text === null ? null : parseLocalDate(text);
    if (text !== null && date === null) issues.push({ path, message: 'must be a day such as 2026-01-31' });
    return date;
  };
  const from = read('days.from', request.from);
  const to = read('days.to', request.to);
  if (from !== null && to !== null && from > to)
    issues.push({ path: 'days.to', message: 'must not be before days.from' });
  return { from: from ?? to ?? today, to: to ?? from ?? today };
}

/** The user's newest device, for event types that have a device; null if there is none. */
async function chooseDevice(tx: Transaction, user: UserHandle, type: EventType): Promise<DeviceId | null> {
  const isOfDevice = type === 'data.updated' || type.startsWith('device.');
  return isOfDevice ? ((await listSourceDevices(tx, user)).at(-1)?.id ?? null) : null;
}
