/** A provider sent a response that does not match its documentation. */
export class ProviderAnswerError extends Error {
  override readonly name = 'ProviderAnswerError';
}
