// The fixtures of every connector, by its id.
import type { ProviderFixtures } from '../provider-fixture.ts';
import { concept2Fixtures } from './concept2.ts';
import { corosFixtures } from './coros.ts';
import { dexcomFixtures } from './dexcom.ts';
import { garminFixtures } from './garmin.ts';
import { googleHealthFixtures } from './google-health.ts';
import { ouraFixtures } from './oura.ts';
import { polarFixtures } from './polar.ts';
import { stravaFixtures } from './strava.ts';
import { suuntoFixtures } from './suunto.ts';
import { ultrahumanFixtures } from './ultrahuman.ts';
import { wahooFixtures } from './wahoo.ts';
import { whoopFixtures } from './whoop.ts';
import { withingsFixtures } from './withings.ts';

export const PROVIDER_FIXTURES: Readonly<Record<string, ProviderFixtures>> = {
  oura: ouraFixtures,
  whoop: whoopFixtures,
  withings: withingsFixtures,
  garmin: garminFixtures,
  polar: polarFixtures,
  google_health: googleHealthFixtures,
  strava: stravaFixtures,
  ultrahuman: ultrahumanFixtures,
  concept2: concept2Fixtures,
  suunto: suuntoFixtures,
  wahoo: wahooFixtures,
  dexcom: dexcomFixtures,
  coros: corosFixtures,
};
