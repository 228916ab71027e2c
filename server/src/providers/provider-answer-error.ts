/** A provider said something that its documentation does not. */
export class ProviderAnswerError extends Error {
  override readonly name = 'ProviderAnswerError';
}
