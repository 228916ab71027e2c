// Runs a scenario: rewrites days of a sandbox user through the pipeline and scores them.

import type { EpochMs } from '../../../domain/records/records.ts';
import {
  type DeviceRecords,
  type LivedDay,
  listSleepNames,
  listWorkoutNames,
  liveJourney,
  type Person,
  recordDays,
  SAMPLED_METRICS,
  SANDBOX_DEVICES,
  type SandboxDevice,
} from '../../../domain/sandbox/index.ts';
import { addDays, type LocalDate } from '../../../domain/time/calendar.ts';
import { createZone, type Zone } from '../../../domain/time/day.ts';
import { HOUR_MS } from '../../../domain/time/durations.ts';
import type { Transaction } from '../../../platform/db/database.ts';
import { AppError } from '../../../platform/errors.ts';
import type { Services } from '../../../platform/services.ts';
import type { Batch, Deletion } from '../../pipeline/ingest/index.ts';
import { scoreQueuedDays } from '../../pipeline/scoring/index.ts';
import { type Actor, insertAudit } from '../../tenancy/accounts/index.ts';
import {
  changeUser,
  getUserForOperatorOrThrow,
  readProfile,
  type UserHandle,
  userNotFound,
} from '../../tenancy/user-core/index.ts';
import { findDevices, openPhone } from './devices.ts';
import { drawUser, liveDays, type WriteStory } from './person.ts';
import {
  describeGap,
  describeIllness,
  describeRun,
  describeStory,
  GAP_DAYS,
  ILLNESS_DAYS,
  LATE_BY_DAYS,
  type Scenario,
  TRAVEL_DAYS,
  type WrittenStory,
} from './scenarios.ts';
import { readDataEnd } from './store.ts';
import { type WriteContext, writeBatch } from './write-days.ts';

type ScenarioRequest = { readonly userId: string; readonly name: Scenario };

export async function writeScenario(
  services: Pick<Services, 'clock' | 'db' | 'userMutex'>,
  { userId, name }: ScenarioRequest,
  by: Actor,
): Promise<WrittenStory> {
  const { userId: id, tenant } = await getUserForOperatorOrThrow(services.db, userId);
  if (tenant.environment !== 'sandbox') throw refuse('is a live user; scenarios are only for sandbox users');
  const entry = {
    ...tenant,
    actor: by,
    action: 'sandbox.scenario_started',
    subject: id,
    userId: id,
    details: { name },
  };
  let isRecorded = false;
  const change = (write: (story: Story) => Promise<ChangedDays>): Promise<ChangedDays> =>
    changeUser(services, tenant, id, async (tx, locked) => {
      if (!locked) throw userNotFound(userId);
      const story = await openStory(tx, locked.handle, services.clock.now());
      if (!isRecorded) await insertAudit(tx, { ...entry, at: story.now });
      isRecorded = true;
      const changed = await write(story);
      await scoreQueuedDays(tx, locked.handle, story.now);
      return changed;
    });
  const { from, to, destination = null } = await RUN_SCENARIO[name](change);
  const described = describeStory(name, { from, to }, destination);
  return { ...described, from, to, lookAt: described.lookAt.map((path) => `/v1/users/${id}${path}`) };
}

type ChangedDays = { readonly from: LocalDate; readonly to: LocalDate; readonly destination?: string };
type Story = WriteContext & {
  readonly person: Person;
  readonly zone: Zone;
  /** The last day with data. */
  readonly lastDay: LocalDate;
  readonly untilMs: number;
};
/** Runs in its own transaction. */
type Change = (write: (story: Story) => Promise<ChangedDays>) => Promise<ChangedDays>;

const RUN_SCENARIO: Readonly<Record<Scenario, (change: Change) => Promise<ChangedDays>>> = {
  'two-devices': (change) => change((story) => relive(story, 1, () => describeRun)),
  gap: (change) => change((story) => relive(story, GAP_DAYS, () => describeGap)),
  illness: (change) => change((story) => relive(story, ILLNESS_DAYS, describeIllness)),
  travel: (change) =>
    change(async (story) => {
      const from = addDays(story.lastDay, 1 - TRAVEL_DAYS);
      const { days, destination } = liveJourney(story.person, story.zone, from, story.untilMs);
      if (story.devices.has('phone')) await openPhone(story.tx, story.user, destination, story.now);
      return { ...(await replaceLastDays(story, TRAVEL_DAYS, async () => days)), destination };
    }),
  'late-data': async (change) => {
    await change((story) => withhold(story));
    return change((story) => deliver(story));
  },
};

async function openStory(tx: Transaction, user: UserHandle, now: Date): Promise<Story> {
  const until = await readDataEnd(tx, user);
  if (until === null) throw refuse('has no sandbox data because it was created before sandbox users had data');
  const zone = createZone(user.timezone);
  const { date: today } = zone.dayAt(now.getTime());
  const person = drawUser(user, await readProfile(tx, user), today);
  const devices = await findDevices(tx, user);
  if (devices.size === 0) throw refuse('no longer has any of the sandbox devices');
  return { tx, user, now, devices, person, zone, lastDay: findLastDay(zone, until), untilMs: until.getTime() };
}

/** Data ends at bedtime; a day that a change of time zone cut earlier has no evening and is not complete. */
const WHOLE_DAY_MS = 19 * HOUR_MS;

function findLastDay(zone: Zone, until: Date): LocalDate {
  const { date, start } = zone.dayAt(until.getTime() - 1);
  return until.getTime() - start >= WHOLE_DAY_MS ? date : addDays(date, -1);
}

function relive(story: Story, count: number, storyFrom: (first: LocalDate) => WriteStory): Promise<ChangedDays> {
  return replaceLastDays(story, count, (from) =>
    liveDays({ ...story, from, to: story.lastDay, storyOf: storyFrom(from) }),
  );
}

async function replaceLastDays(
  story: Story,
  count: number,
  live: (from: LocalDate) => Promise<readonly LivedDay[]>,
): Promise<ChangedDays> {
  const [from, to] = [addDays(story.lastDay, 1 - count), story.lastDay];
  const days = await live(from);
  for (const device of SANDBOX_DEVICES) await replaceDays(story, device, from, to, recordDays(device, days));
  return { from, to };
}

/** Replaces the device's data of these days. */
function replaceDays(
  story: Story,
  device: SandboxDevice,
  from: LocalDate,
  to: LocalDate,
  records: DeviceRecords,
): Promise<void> {
  const batch: Batch = { ...records, deletions: listDeletions(story.zone, device, from, to) };
  return writeBatch(story, device, batch);
}

function listDeletions(zone: Zone, device: SandboxDevice, from: LocalDate, to: LocalDate): Deletion[] {
  const [start, end] = [zone.dayOf(from).start, (zone.dayOf(to).end - 1) as EpochMs];
  const deletions: Deletion[] = SAMPLED_METRICS[device].map((metric) => ({ kind: 'samples', metric, start, end }));
  for (let date = from; date <= to; date = addDays(date, 1)) {
    deletions.push(...listSleepNames(date).map((key): Deletion => ({ kind: 'sleep', key })));
    deletions.push(...listWorkoutNames(date).map((key): Deletion => ({ kind: 'workout', key })));
  }
  return deletions;
}

/** Writes the day without the late data. */
async function withhold(story: Story): Promise<ChangedDays> {
  const date = lateDate(story);
  const days = await liveDays({ ...story, from: date, to: date, storyOf: describeRun });
  for (const device of SANDBOX_DEVICES) {
    await replaceDays(story, device, date, date, { ...recordDays(device, days), sleep: [], workouts: [] });
  }
  return { from: date, to: date };
}

async function deliver(story: Story): Promise<ChangedDays> {
  const date = lateDate(story);
  const days = await liveDays({ ...story, from: date, to: date, storyOf: describeRun });
  for (const device of SANDBOX_DEVICES) {
    const { sleep, workouts } = recordDays(device, days);
    await writeBatch(story, device, { samples: new Map(), daily: [], sleep, workouts, deletions: [] });
  }
  return { from: date, to: story.lastDay };
}

function lateDate({ lastDay }: Story): LocalDate {
  return addDays(lastDay, 1 - LATE_BY_DAYS);
}

function refuse(message: string): AppError {
  return new AppError('invalid_body', { details: { issues: [{ path: 'user_id', message }] } });
}
