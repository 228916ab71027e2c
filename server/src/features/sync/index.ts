// What connecting and disconnecting ask of the fetching of data.
export { beginBackfill } from './begin-backfill.ts';
export { forgetDevice } from './forget-device.ts';
