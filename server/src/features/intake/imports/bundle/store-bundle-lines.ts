// Stores a batch of lines of a bundle, in one transaction.
import { type DayInputs, nameHrvSeries } from '../../../../domain/scores/index.ts';
import type { DeviceNumber } from '../../../../domain/tenancy.ts';
import { type LocalDate, parseLocalDate } from '../../../../domain/time/calendar.ts';
import type { Transaction } from '../../../../platform/db/database.ts';
import { AppError, notFound } from '../../../../platform/errors.ts';
import type { Services } from '../../../../platform/services.ts';
import { ingest } from '../../../pipeline/ingest/index.ts';
import { queueEveryDay, saveHiddenInputs } from '../../../pipeline/scoring/index.ts';
import { listSourceDevices, type SourceDevice } from '../../../store/devices/index.ts';
import { changeUser, type UserHandle, userNotFound } from '../../../tenancy/user-core/index.ts';
import type { LineOf } from './line-schemas.ts';
import { mapRecords, type RecordLine } from './map-records.ts';

type BundleLines = {
  /** Null: the lines are baselines. */
  readonly deviceId: string | null;
  /** The id here of each device, by its number in the bundle; baselines name several. */
  readonly devices: ReadonlyMap<number, string>;
  readonly lines: readonly (RecordLine | LineOf<'baseline'>)[];
};

export type StoredLines = {
  readonly accepted: number;
  readonly duplicates: number;
  readonly rejected: number;
  /** Workouts whose route or laps the account does not keep. */
  readonly routesNotKept: number;
};

export function storeBundleLines(
  services: Pick<Services, 'clock' | 'db' | 'userMutex'>,
  target: UserHandle,
  { deviceId, devices: ids, lines }: BundleLines,
): Promise<StoredLines> {
  const baselines = lines.filter((line) => line.line === 'baseline');
  const records = lines.filter((line) => line.line !== 'baseline');
  const now = services.clock.now();
  const { batch, problems } = mapRecords(records, now);
  return changeUser(services, target.tenant, target.userId, async (tx, locked) => {
    if (!locked) throw userNotFound(target.userId);
    const { handle } = locked;
    const devices = await listSourceDevices(tx, handle);
    if (baselines.length > 0) await storeBaselines(tx, handle, { baselines, ids, devices }, now);
    if (records.length === 0) return { accepted: 0, duplicates: 0, rejected: 0, routesNotKept: 0 };
    const device = devices.find(({ id }) => id === deviceId);
    if (device === undefined) throw notFound('Device', { device_id: deviceId ?? '' });
    const { accepted, duplicates, refused, refusedSleep, refusedWorkouts, droppedRoutes } = await ingest(
      tx,
      handle,
      { device, devices },
      batch,
      now,
    );
    const rejected = problems.length + refused.length + refusedSleep + refusedWorkouts;
    return { accepted, duplicates, rejected, routesNotKept: droppedRoutes };
  });
}

type Baselines = {
  readonly baselines: readonly LineOf<'baseline'>[];
  readonly ids: BundleLines['devices'];
  readonly devices: readonly SourceDevice[];
};

/** Only the sandbox invents days before the first data. */
async function storeBaselines(
  tx: Transaction,
  user: UserHandle,
  { baselines, ids, devices }: Baselines,
  now: Date,
): Promise<void> {
  if (user.tenant.environment !== 'sandbox')
    throw new AppError('invalid_body', {
      details: { issues: [{ path: 'lines', message: 'baseline lines are for users of the sandbox' }] },
    });
  const numberOf = (device: number): DeviceNumber =>
    devices.find(({ id }) => id === ids.get(device))?.number ?? (0 as DeviceNumber);
  const days = new Map<LocalDate, DayInputs>();
  for (const { date, inputs } of baselines) {
    const day = parseLocalDate(date);
    const hrv = inputs.hrv.map(({ measure, device, ms }) => ({ series: nameHrvSeries(measure, numberOf(device)), ms }));
    if (day !== null) days.set(day, { ...(inputs as object), hrv } as unknown as DayInputs);
  }
  await saveHiddenInputs(tx, user, days);
  await queueEveryDay(tx, user, now);
}
