// Lists of 24/7 data: an array when requested, and `samples` of a webhook.
import { ProviderAnswerError } from '../provider-answer-error.ts';

export function listSamples(body: unknown): readonly unknown[] {
  if (Array.isArray(body)) return body;
  throw new ProviderAnswerError('the answer is not a list');
}
