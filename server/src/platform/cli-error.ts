// An error whose message says what is wrong and what to do. The command line prints it without a stack.

/** An error response of the API. */
export type ErrorAnswer = { readonly error: string; readonly message: string; readonly details: object };

export class CliError extends Error {
  /** The error response behind it, if there is one. */
  answer?: ErrorAnswer;
}
