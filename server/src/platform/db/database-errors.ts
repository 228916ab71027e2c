// Distinguishes an unavailable database from a failed statement.

import pg from 'pg';
import { AppError } from '../errors.ts';

const UNIQUE_VIOLATION = '23505';
const STATEMENT_SQLSTATES = [
  '40001', // serialization failure: the same call may succeed next time
  '40P01', // deadlock: likewise
  '55P03', // lock not available in time
  '57014', // statement timeout
];
const CONNECTION_CLASS = '08';
const UNAVAILABLE_SQLSTATES = new Set([
  ...STATEMENT_SQLSTATES,
  '57P01', // admin shutdown
  '57P02', // crash shutdown
  '57P03', // starting up
  '53100', // disk full
  '53200', // out of memory
  '53300', // too many connections
  '25006', // read-only: failed over to a replica
]);
const NETWORK_CODES = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ENOENT',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EACCES',
]);
/** Where PostgreSQL finds that a migration changed the result of a prepared statement. A new connection prepares it again. */
const FINDS_CHANGED_RESULT = 'RevalidateCachedQuery';
const DRIVER_MESSAGES =
  /Query read timeout|Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error|Client was closed|not queryable|Cannot use a pool after/;

/** An `unavailable` error (503) if the database is unreachable, full or starting; otherwise null. */
export function asUnavailable(error: unknown): AppError | null {
  if (!(error instanceof Error)) return null;
  const code = codeOf(error);
  const isAway =
    UNAVAILABLE_SQLSTATES.has(code) ||
    isConnectionLost(error) ||
    ('routine' in error && error.routine === FINDS_CHANGED_RESULT);
  return isAway ? new AppError('unavailable', { cause: error }) : null;
}

export function isConnectionLost(error: Error): boolean {
  const code = codeOf(error);
  return code.startsWith(CONNECTION_CLASS) || NETWORK_CODES.has(code) || DRIVER_MESSAGES.test(error.message);
}

/** An `unavailable` error of one statement: the database is there, and other statements may succeed. A Citus node that is down is one, too. */
export function isStatementFailure({ cause }: AppError): boolean {
  const isOfNode = cause instanceof pg.DatabaseError && codeOf(cause).startsWith(CONNECTION_CLASS);
  return isOfNode || STATEMENT_SQLSTATES.includes(codeOf(cause));
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
}

export function notUpYet(): AppError {
  return new AppError('unavailable', { message: 'The service is starting. Retry shortly.' });
}

/** Citus names a constraint of a shard after that of its table: `users_reference_in_use_102048`. */
export function isUniqueViolation(error: unknown, constraint: string): boolean {
  if (!(error instanceof pg.DatabaseError) || error.code !== UNIQUE_VIOLATION) return false;
  return error.constraint?.replace(/_\d+$/, '') === constraint || error.constraint === constraint;
}
