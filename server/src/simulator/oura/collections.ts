// Oura's collections: names, scopes and content.
import type { AccountDay, AccountView } from '../account-view.ts';
import { listActivity } from './activity-document.ts';
import { listCapacity, listSessions, listStress, listWorkouts } from './day-documents.ts';
import type { OuraDocument } from './document.ts';
import { listCardiovascular, listOxygen, listReadiness, listSleepScores } from './morning-documents.ts';
import { listSleeps } from './sleep-documents.ts';

export type Collection = {
  /** In webhooks, and in paths unless spelled differently. */
  readonly name: string;
  readonly path?: string;
  readonly scope: string;
  /** `end_date` is excluded. */
  readonly isEndExclusive?: boolean;
  /** Grows during the day, so webhooks are hourly. */
  readonly isGrowing?: boolean;
  list(view: AccountView, day: AccountDay): OuraDocument[];
};

export const COLLECTIONS: readonly Collection[] = [
  { name: 'sleep', scope: 'daily', isEndExclusive: true, list: listSleeps },
  { name: 'daily_activity', scope: 'daily', isEndExclusive: true, isGrowing: true, list: listActivity },
  { name: 'daily_sleep', scope: 'daily', list: listSleepScores },
  { name: 'daily_readiness', scope: 'daily', list: listReadiness },
  { name: 'workout', scope: 'workout', list: listWorkouts },
  { name: 'daily_spo2', scope: 'spo2', list: listOxygen },
  { name: 'daily_stress', scope: 'stress', isGrowing: true, list: listStress },
  { name: 'session', scope: 'session', list: listSessions },
  { name: 'vo2_max', path: 'vO2_max', scope: 'heart_health', list: listCapacity },
  { name: 'daily_cardiovascular_age', scope: 'heart_health', list: listCardiovascular },
];
