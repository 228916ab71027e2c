// WHOOP's names of sports that differ from ours. https://developer.whoop.com/docs/developing/user-data/workout
import { findSport } from '../../domain/workouts/sports.ts';

const NAMES: Readonly<Record<string, string>> = {
  assault_bike: 'indoor_cycling',
  babywearing: 'walking',
  barre3: 'barre',
  barry_s: 'hiit',
  barrys: 'hiit',
  bjj: 'martial_arts',
  bouldering: 'indoor_climbing',
  box_fitness: 'boxing',
  breathwork: 'mind_body',
  caddying: 'walking',
  climber: 'stair_climbing',
  disc_golf: 'disc_sports',
  dog_walking: 'walking',
  duathlon: 'triathlon',
  f45_training: 'hiit',
  field_hockey: 'hockey',
  football: 'american_football',
  functional_fitness: 'cross_training',
  gaelic_football: 'team_sports',
  high_intensity_interval_training: 'hiit',
  hiking_rucking: 'hiking',
  horseback_riding: 'equestrian',
  hot_yoga: 'yoga',
  hurling_camogie: 'team_sports',
  ice_hockey: 'hockey',
  jiu_jitsu: 'martial_arts',
  jumping_rope: 'jump_rope',
  kickboxing: 'boxing',
  kite_boarding: 'kitesurfing',
  meditation: 'mind_body',
  muay_thai: 'martial_arts',
  netball: 'team_sports',
  obstacle_course_racing: 'cross_training',
  paddle_tennis: 'padel',
  paddleboarding: 'stand_up_paddling',
  polo: 'equestrian',
  powerlifting: 'strength_training',
  rucking: 'hiking',
  skiing: 'alpine_skiing',
  spikeball: 'team_sports',
  spin: 'indoor_cycling',
  spinning: 'indoor_cycling',
  stadium_steps: 'stair_climbing',
  stairmaster: 'stair_climbing',
  strength_trainer: 'strength_training',
  stroller_jogging: 'running',
  stroller_walking: 'walking',
  toddlerwearing: 'walking',
  track_field: 'track_and_field',
  ultimate: 'disc_sports',
  water_skiing: 'wakeboarding',
  weightlifting: 'strength_training',
  wheelchair_pushing: 'wheelchair',
};

/** Strength sessions with muscular load: `weightlifting_msk`. */
const MUSCULOSKELETAL = /_msk$/;

export function toSportType(name: string | null): string {
  return find(name) ?? 'other';
}

/** The name of an unknown one is stored with the workout. */
export function isKnownSport(name: string | null): boolean {
  return find(name) !== null;
}

/** In lower case, with spaces, slashes, hyphens and other signs between its words. */
function find(name: string | null): string | null {
  if (name === null) return null;
  const word = name
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '_')
    .replace(MUSCULOSKELETAL, '');
  return findSport(NAMES[word] ?? word)?.type ?? null;
}
