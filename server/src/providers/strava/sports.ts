// Strava's sports, from `sport_type` or, in old activities, `type`. Words that are also ours need no entry.
// https://developers.strava.com/docs/reference/#api-models-SportType
import { sportTable } from '../map-sport.ts';

/** Speed and distance of a virtual ride belong to the game. */
export const VIRTUAL_RIDE = 'VirtualRide';

export const STRAVA_SPORTS = sportTable({
  running: 'Run',
  trail_running: 'TrailRun',
  treadmill_running: 'VirtualRun',
  walking: 'Walk',
  hiking: 'Hike',
  wheelchair: 'Wheelchair',
  cycling: 'Ride Velomobile',
  gravel_cycling: 'GravelRide',
  mountain_biking: 'MountainBikeRide',
  indoor_cycling: VIRTUAL_RIDE,
  e_biking: 'EBikeRide EMountainBikeRide',
  hand_cycling: 'Handcycle',
  swimming: 'Swim',
  strength_training: 'WeightTraining',
  cross_training: 'Crossfit',
  cardio_training: 'Workout',
  hiit: 'HighIntensityIntervalTraining',
  stair_climbing: 'StairStepper',
  stretching: 'PhysicalTherapy',
  indoor_rowing: 'VirtualRow',
  stand_up_paddling: 'StandUpPaddling',
  kitesurfing: 'Kitesurf',
  windsurfing: 'Windsurf',
  sailing: 'Sail',
  alpine_skiing: 'AlpineSki',
  backcountry_skiing: 'BackcountrySki',
  cross_country_skiing: 'NordicSki RollerSki',
  snowboarding: 'Snowboard',
  snowshoeing: 'Snowshoe',
  ice_skating: 'IceSkate',
  inline_skating: 'InlineSkate',
  skateboarding: 'Skateboard',
});
