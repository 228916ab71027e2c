// Series whose keys are times: { "1772403030": 62 }.
import type { EpochMs } from '../../domain/records/records.ts';
import { ProviderAnswerError } from '../contract.ts';

export function parseEpochSeconds(key: string): EpochMs {
  if (!/^\d{1,11}$/.test(key)) throw new ProviderAnswerError('a key of a series is not a time');
  return (Number(key) * 1_000) as EpochMs;
}
