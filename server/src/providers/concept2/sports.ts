// Machines of the logbook. A ski erg is not skiing on snow, whose distance has a metric: it is `other` with its name.
// https://log.concept2.com/developers/documentation/#logbook-users-results-post
import { sportTable } from '../map-sport.ts';

export const CONCEPT2_SPORTS = sportTable({
  indoor_rowing: 'rower dynamic slides',
  indoor_cycling: 'bike',
  rowing: 'water',
  cross_country_skiing: 'snow rollerski',
  paddling: 'paddle',
  cross_training: 'multierg',
});
