// The error class, and the errors that many places throw or ask for.

import { SECOND_MS } from '../domain/time/durations.ts';
import { ERROR_CODES, type ErrorCode } from './error-codes.ts';

export type ErrorDetails = Record<string, unknown>;
export type Issue = { readonly path: string; readonly message: string };

const UNAVAILABLE_MS = SECOND_MS; // most outages are a restart

export class AppError extends Error {
  readonly code: ErrorCode;
  readonly status: number;
  readonly details: ErrorDetails;
  readonly headers: Readonly<Record<string, string>>;

  constructor(
    code: ErrorCode,
    options: {
      message?: string;
      details?: ErrorDetails;
      retryAfterMs?: number;
      headers?: Record<string, string>;
      cause?: unknown;
    } = {},
  ) {
    super(options.message ?? ERROR_CODES[code].message, { cause: options.cause });
    this.name = 'AppError';
    this.code = code;
    this.status = ERROR_CODES[code].status;
    this.details = options.details ?? {};
    const { headers, retryAfterMs = code === 'unavailable' ? UNAVAILABLE_MS : undefined } = options;
    this.headers = { ...(retryAfterMs !== undefined && { 'retry-after': writeRetryAfter(retryAfterMs) }), ...headers };
  }
}

/** The header Retry-After. */
export function writeRetryAfter(waitMs: number): string {
  return String(Math.max(1, Math.ceil(waitMs / SECOND_MS)));
}

/** "Device ID was not found.": the message names the requested id, the first of the details (specification, Errors). */
export function notFound(
  noun: string,
  details: Readonly<Record<string, string>>,
  code: 'not_found' | 'user_not_found' | 'workout_not_found' = 'not_found',
): AppError {
  return new AppError(code, { message: `${noun} ${Object.values(details)[0]} was not found.`, details });
}

/** The database is unavailable, or the service is starting or stopping: the request may succeed later. */
export function isUnavailable(error: unknown): error is AppError {
  return error instanceof AppError && error.code === 'unavailable';
}
