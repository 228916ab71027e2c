// Series whose names are moments: { "1772403030": 62 }.
import type { EpochMs } from '../../domain/records/records.ts';
import { ProviderAnswerError } from '../contract.ts';

export function parseEpochSeconds(key: string): EpochMs {
  if (!/^\d{1,11}$/.test(key)) throw new ProviderAnswerError('a name in a series is no moment');
  return (Number(key) * 1_000) as EpochMs;
}
