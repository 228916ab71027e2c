// The simulated providers. A dialect is listed only here.
import { concept2Dialect } from './concept2/index.ts';
import { corosDialect } from './coros/index.ts';
import { dexcomDialect } from './dexcom/index.ts';
import type { Dialect } from './dialect.ts';
import { garminDialect } from './garmin/index.ts';
import { googleHealthDialect } from './google-health/index.ts';
import { ouraDialect } from './oura/index.ts';
import { polarDialect } from './polar/index.ts';
import { stravaDialect } from './strava/index.ts';
import { suuntoDialect } from './suunto/index.ts';
import { ultrahumanDialect } from './ultrahuman/index.ts';
import { wahooDialect } from './wahoo/index.ts';
import { whoopDialect } from './whoop/index.ts';
import { withingsDialect } from './withings/index.ts';

export const DIALECTS: readonly Dialect[] = [
  ouraDialect,
  whoopDialect,
  withingsDialect,
  garminDialect,
  polarDialect,
  googleHealthDialect,
  stravaDialect,
  ultrahumanDialect,
  concept2Dialect,
  suuntoDialect,
  wahooDialect,
  dexcomDialect,
  corosDialect,
];
