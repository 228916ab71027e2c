// Oura's names of sports that differ from ours. https://cloud.ouraring.com/v2/docs#tag/Workout-Routes (activity)
import { findSport } from '../../domain/workouts/sports.ts';

const NAMES: Readonly<Record<string, string>> = {
  americanfootball: 'american_football',
  backcountryskiing: 'backcountry_skiing',
  bodyweighttraining: 'calisthenics',
  climbing: 'rock_climbing',
  crosscountryskiing: 'cross_country_skiing',
  crossfit: 'cross_training',
  crosstraining: 'cross_training',
  dancing: 'dance',
  downhillskiing: 'alpine_skiing',
  fieldhockey: 'hockey',
  football: 'soccer',
  functionalstrengthtraining: 'strength_training',
  hiit: 'hiit',
  highintensityintervaltraining: 'hiit',
  horsebackriding: 'equestrian',
  icehockey: 'hockey',
  iceskating: 'ice_skating',
  indoorcycling: 'indoor_cycling',
  indoorrunning: 'treadmill_running',
  kickboxing: 'boxing',
  meditation: 'mind_body',
  mountainbiking: 'mountain_biking',
  nordicwalking: 'walking',
  openwaterswimming: 'open_water_swimming',
  paddling: 'paddling',
  poolswimming: 'pool_swimming',
  rollerskating: 'inline_skating',
  spinning: 'indoor_cycling',
  stairexercise: 'stair_climbing',
  stairmaster: 'stair_climbing',
  standuppaddling: 'stand_up_paddling',
  strengthtraining: 'strength_training',
  tabletennis: 'table_tennis',
  trailrunning: 'trail_running',
  weightlifting: 'strength_training',
  weighttraining: 'strength_training',
};

export function toSportType(activity: string | null): string {
  return find(activity) ?? 'other';
}

/** The name of an unknown one is stored with the workout. */
export function isKnownSport(activity: string | null): boolean {
  return find(activity) !== null;
}

/** Written in camel case or with underscores. */
function find(activity: string | null): string | null {
  if (activity === null) return null;
  const word = activity.toLowerCase().replaceAll(/[^a-z]/g, '');
  const sport = findSport(activity.toLowerCase()) ?? findSport(NAMES[word] ?? word);
  return sport?.type ?? null;
}
