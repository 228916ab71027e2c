// A file that cannot be imported, or not to its end. The message says what to do.
import { CliError } from '../../../platform/cli-error.ts';

export class ImportError extends CliError {
  /** The records before the fault are whole and can be imported. */
  readonly isPartial: boolean;

  constructor(message: string, isPartial = false) {
    super(message);
    this.isPartial = isPartial;
  }
}

/** `at` is "line 3, column 17", or the entry of an archive. */
export function importError(message: string, at?: string): ImportError {
  return new ImportError(at === undefined ? message : `${at}: ${message}`);
}

export function truncatedError(at: string): ImportError {
  return new ImportError(`${at}: the file ends early. Create or copy it again, and import it again.`, true);
}
