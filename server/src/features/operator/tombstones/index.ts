export { type AppliedTombstones, applyTombstones } from './apply-tombstones.ts';
