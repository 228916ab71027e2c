// What goes wrong with one errand stays with it: the others of its device go on.
import { AppError } from '../../../../platform/errors.ts';
import { ProviderAnswerError } from '../../../../providers/contract.ts';
import type { Errand } from '../errand.ts';
import type { SyncTurn, Trouble } from './sync-turn.ts';

export async function guardErrand<Result>(
  { services, app }: SyncTurn,
  errand: Errand,
  work: () => Promise<Result>,
): Promise<Result | Trouble> {
  try {
    return await work();
  } catch (error) {
    // A message of ours about an answer of theirs: it names fields, never values.
    if (error instanceof ProviderAnswerError) return { trouble: 'wrong', reason: error.message };
    if (isDatabaseAway(error)) throw error;
    services.log.error({ err: error, provider: app.provider.id, kind: errand.task.kind }, 'an errand failed');
    return { trouble: 'wrong', reason: 'unexpected' };
  }
}

export function isDatabaseAway(error: unknown): boolean {
  return error instanceof AppError && error.code === 'unavailable';
}
