/** Every error of this library, except the reason of an aborted signal, which is thrown as it is. */
export class TributaryError extends Error {
  override name = 'TributaryError';
}

/** No response arrived: the service cannot be reached, or the connection broke. */
export class ConnectionError extends TributaryError {
  override name = 'ConnectionError';
  /** How often the request was sent. */
  readonly attempts: number;

  constructor(message: string, options: { attempts: number; cause?: unknown }) {
    super(message, { cause: options.cause });
    this.attempts = options.attempts;
  }
}

/** No response arrived within `timeoutMs`. */
export class TimeoutError extends ConnectionError {
  override name = 'TimeoutError';
}

export type ApiErrorFields = {
  readonly code: string;
  readonly message: string;
  readonly details: Readonly<Record<string, unknown>>;
  readonly status: number;
  readonly requestId: string | null;
  readonly attempts: number;
};

/** The service answered with an error. Each code has its own class; a code that is newer than this library has this one. */
export class ApiError extends TributaryError {
  override name = 'ApiError';
  /** Stable; use it, or the class, in programs. */
  readonly code: string;
  readonly details: Readonly<Record<string, unknown>>;
  readonly status: number;
  /** Name it when you report a problem. */
  readonly requestId: string | null;
  /** How often the request was sent. */
  readonly attempts: number;

  constructor(fields: ApiErrorFields) {
    super(fields.message);
    this.code = fields.code;
    this.details = fields.details;
    this.status = fields.status;
    this.requestId = fields.requestId;
    this.attempts = fields.attempts;
  }
}
