// What WHOOP calls sports, where its name is not ours. https://developer.whoop.com/docs/developing/user-data/workout
import { findSport } from '../../domain/sports.ts';

const NAMES: Readonly<Record<string, string>> = {
  assault_bike: 'indoor_cycling',
  australian_football: 'australian_football',
  barry_s: 'hiit',
  bjj: 'martial_arts',
  box_fitness: 'boxing',
  climber: 'stair_climbing',
  cross_country_skiing: 'cross_country_skiing',
  field_hockey: 'hockey',
  football: 'american_football',
  functional_fitness: 'cross_training',
  f45_training: 'hiit',
  gaelic_football: 'team_sports',
  hiking_rucking: 'hiking',
  horseback_riding: 'equestrian',
  hot_yoga: 'yoga',
  ice_hockey: 'hockey',
  inline_skating: 'inline_skating',
  jiu_jitsu: 'martial_arts',
  jumping_rope: 'jump_rope',
  kickboxing: 'boxing',
  meditation: 'mind_body',
  mountain_biking: 'mountain_biking',
  muay_thai: 'martial_arts',
  obstacle_course_racing: 'cross_training',
  paddle_tennis: 'padel',
  paddleboarding: 'stand_up_paddling',
  powerlifting: 'strength_training',
  rowing: 'rowing',
  rucking: 'hiking',
  skiing: 'alpine_skiing',
  spin: 'indoor_cycling',
  spinning: 'indoor_cycling',
  stairmaster: 'stair_climbing',
  stroller_jogging: 'running',
  stroller_walking: 'walking',
  track_field: 'track_and_field',
  ultimate: 'disc_sports',
  water_skiing: 'wakeboarding',
  weightlifting: 'strength_training',
};

/** In lower case, with blanks, slashes and other signs between its words. */
export function toSportType(name: string | null): string {
  if (name === null) return 'other';
  const word = name.toLowerCase().replaceAll(/[^a-z0-9]+/g, '_');
  return findSport(NAMES[word] ?? word)?.type ?? 'other';
}
