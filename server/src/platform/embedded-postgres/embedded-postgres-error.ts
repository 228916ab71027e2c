// The error of this module. Its message names the problem and what to do.
import { CliError } from '../cli-error.ts';

export class EmbeddedPostgresError extends CliError {
  override readonly name = 'EmbeddedPostgresError';
}

/** The `code` of a Node or PostgreSQL error ('ENOENT', '57P03'), or null. */
export function readErrorCode(error: unknown): string | null {
  if (!(error instanceof Error) || !('code' in error)) return null;
  return typeof error.code === 'string' ? error.code : null;
}
