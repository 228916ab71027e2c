// The kinds of summaries that we use, by their names in webhooks. Each has to be enabled in Garmin's own tools, as push or ping.
import type { PushedKind } from '../contract.ts';
import { mapActivities, mapActivityDetails, withoutPositions } from './map-activities.ts';
import { mapBloodPressures, mapBodyComps, mapSkinTemp, mapUserMetrics } from './map-body.ts';
import { mapDailies } from './map-dailies.ts';
import { mapEpochs } from './map-epochs.ts';
import { mapHealthSnapshot, mapHrv, mapPulseOx, mapRespiration, mapStressDetails } from './map-series.ts';
import { mapSleeps } from './map-sleeps.ts';

export const GARMIN_KINDS: readonly PushedKind[] = [
  { name: 'dailies', map: mapDailies },
  { name: 'epochs', map: mapEpochs },
  { name: 'sleeps', map: mapSleeps },
  { name: 'hrv', map: mapHrv },
  { name: 'pulseox', map: mapPulseOx },
  { name: 'allDayRespiration', map: mapRespiration },
  { name: 'stressDetails', map: mapStressDetails },
  { name: 'healthSnapshot', map: mapHealthSnapshot },
  { name: 'bodyComps', map: mapBodyComps },
  { name: 'bloodPressures', map: mapBloodPressures },
  { name: 'userMetrics', map: mapUserMetrics },
  { name: 'skinTemp', map: mapSkinTemp },
  { name: 'activityDetails', map: mapActivityDetails, withoutPositions },
  { name: 'activities', map: mapActivities('activities'), withoutPositions },
  { name: 'manuallyUpdatedActivities', map: mapActivities('manuallyUpdatedActivities'), withoutPositions },
];
