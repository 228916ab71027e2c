// No public source says how Ultrahuman computes its heart-rate variability, and the two kinds must never be mixed. The operator
// decides, or it is not read.
import type { HrvKind } from '../../domain/records/records.ts';
import type { MapContext, UnconfirmedPart } from '../contract.ts';

const reason = (kind: string) =>
  `Ultrahuman does not say how it computes heart-rate variability. If enabled, its values are stored as ${kind}.`;

export const HRV_PARTS: readonly UnconfirmedPart[] = [
  { part: 'hrv_rmssd', reason: reason('RMSSD') },
  { part: 'hrv_sdnn', reason: reason('SDNN') },
];

/** Null: not read, also if both are enabled. */
export function hrvKindOf({ parts }: MapContext): HrvKind | null {
  const isRmssd = parts?.has('hrv_rmssd') === true;
  const isSdnn = parts?.has('hrv_sdnn') === true;
  if (isRmssd === isSdnn) return null;
  return isRmssd ? 'rmssd' : 'sdnn';
}
