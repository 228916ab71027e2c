// Kinds of summaries, by their names in webhooks: permissions and content. In Garmin's tools each is set to push or
// ping; here two are pings, so that both are tested.
import { DAY_MS } from '../../domain/time/durations.ts';
import type { AccountDay, AccountView } from '../account-view.ts';
import { listActivities, listTypedActivities } from './activities.ts';
import { listActivityDetails } from './activity-details.ts';
import { listBloodPressures, listBodyComps, listHealthSnapshots, listUserMetrics } from './body-summaries.ts';
import { listDailies } from './dailies.ts';
import { listEpochs } from './epochs.ts';
import { listHrv, listPulseOx, listRespiration, listSkinTemp } from './night-summaries.ts';
import type { Permission } from './oauth.ts';
import { listSleeps } from './sleeps.ts';
import { listStressDetails } from './stress.ts';
import type { Summary } from './summary.ts';

export type SummaryKind = {
  readonly name: string;
  /** In request paths, if spelled differently. */
  readonly path?: string;
  readonly permission: Permission;
  readonly mode: 'push' | 'ping';
  /** The longest window of a backfill. Null: no backfill. */
  readonly backfillDays: number | null;
  list(view: AccountView, day: AccountDay): Summary[];
};

const health = { permission: 'HEALTH_EXPORT', mode: 'push', backfillDays: 90 } as const;
const activity = { permission: 'ACTIVITY_EXPORT', mode: 'push', backfillDays: 30 } as const;

export const KINDS: readonly SummaryKind[] = [
  { ...health, name: 'dailies', list: listDailies },
  { ...health, name: 'epochs', mode: 'ping', list: listEpochs },
  { ...health, name: 'sleeps', list: listSleeps },
  { ...health, name: 'hrv', list: listHrv },
  { ...health, name: 'stressDetails', list: listStressDetails },
  { ...health, name: 'pulseox', path: 'pulseOx', list: listPulseOx },
  { ...health, name: 'allDayRespiration', path: 'respiration', list: listRespiration },
  { ...health, name: 'skinTemp', list: listSkinTemp },
  { ...health, name: 'bodyComps', list: listBodyComps },
  { ...health, name: 'bloodPressures', list: listBloodPressures },
  { ...health, name: 'userMetrics', mode: 'ping', list: listUserMetrics },
  { ...health, name: 'healthSnapshot', list: listHealthSnapshots },
  { ...activity, name: 'activities', list: listActivities },
  { ...activity, name: 'activityDetails', list: listActivityDetails },
  { ...activity, name: 'manuallyUpdatedActivities', backfillDays: null, list: listTypedActivities },
];

/** Summaries that begin in [from, to). */
export function listSummaries(kind: SummaryKind, view: AccountView, fromMs: number, toMs: number): Summary[] {
  const { zone } = view.account;
  // A night begins on the day before its own.
  const days = view.days(zone.dayAt(fromMs).date, zone.dayAt(toMs + DAY_MS).date);
  return days.flatMap((day) => kind.list(view, day)).filter(({ startMs }) => startMs >= fromMs && startMs < toMs);
}
