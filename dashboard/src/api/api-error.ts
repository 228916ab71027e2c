// A call that failed: the error body of the API, or no answer at all.

export class ApiError extends Error {
  /** 0: the service did not answer. */
  readonly status: number;
  /** The error code of the API, or `no_answer`. */
  readonly code: string;
  readonly requestId: string | null;
  readonly details: Readonly<Record<string, unknown>>;

  constructor(facts: {
    status: number;
    code: string;
    message: string;
    requestId: string | null;
    details?: Readonly<Record<string, unknown>>;
  }) {
    super(facts.message);
    this.status = facts.status;
    this.code = facts.code;
    this.requestId = facts.requestId;
    this.details = facts.details ?? {};
  }
}

export function isApiError(error: unknown, code: string): error is ApiError {
  return error instanceof ApiError && error.code === code;
}
