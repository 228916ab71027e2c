// All connectors that are written, whether or not they can be connected yet.
import type { CloudProvider } from './contract.ts';
import { garmin } from './garmin/index.ts';
import { googleHealth } from './google-health/index.ts';
import { oura } from './oura/index.ts';
import { polar } from './polar/index.ts';
import { whoop } from './whoop/index.ts';
import { withings } from './withings/index.ts';

export const ALL_PROVIDERS: readonly CloudProvider[] = [oura, whoop, withings, garmin, polar, googleHealth];
