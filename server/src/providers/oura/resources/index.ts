// The resources of Oura that we fetch. Sleep scores, readiness, resilience and the like are not mapped: only measurements are.
import type { Resource } from '../../contract.ts';
import {
  collectActivity,
  collectCardiovascular,
  collectOxygen,
  collectReadiness,
  collectStress,
  collectVo2Max,
} from '../map-daily.ts';
import { collectSessions } from '../map-session.ts';
import { collectSleep } from '../map-sleep.ts';
import { collectWorkouts } from '../map-workout.ts';
import { collection } from './collection.ts';
import { heartRateResource } from './heart-rate.ts';

export const OURA_RESOURCES: readonly Resource[] = [
  collection({ name: 'sleep', scope: 'daily', isPadded: true, collect: collectSleep }),
  collection({ name: 'daily_activity', scope: 'daily', collect: collectActivity }),
  collection({ name: 'daily_readiness', scope: 'daily', collect: collectReadiness }),
  collection({ name: 'workout', scope: 'workout', collect: collectWorkouts }),
  heartRateResource,
  collection({ name: 'daily_spo2', scope: 'spo2', collect: collectOxygen }),
  collection({ name: 'daily_stress', scope: 'stress', collect: collectStress }),
  collection({ name: 'session', scope: 'session', collect: collectSessions }),
  collection({ name: 'vo2_max', scope: 'heart_health', path: 'vO2_max', collect: collectVo2Max }),
  collection({ name: 'daily_cardiovascular_age', scope: 'heart_health', collect: collectCardiovascular }),
];
