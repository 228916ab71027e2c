// A file that cannot be imported, or not to its end. The message says what to do.
import { CliError } from '../../../platform/cli-error.ts';

type ImportErrorDetails = {
  /** "line 3, column 17", or the entry of an archive. */
  readonly at?: string;
  /** The records before the fault are whole and can be imported. */
  readonly isPartial?: boolean;
  /** The message says that nothing was imported. */
  readonly saysNothingImported?: boolean;
};

export class ImportError extends CliError {
  /** The message without the position. */
  readonly problem: string;
  readonly at: string | null;
  readonly isPartial: boolean;
  readonly saysNothingImported: boolean;

  constructor(problem: string, { at, isPartial = false, saysNothingImported = false }: ImportErrorDetails = {}) {
    super(at === undefined ? problem : `${at}: ${problem}`);
    this.problem = problem;
    this.at = at ?? null;
    this.isPartial = isPartial;
    this.saysNothingImported = saysNothingImported;
  }
}

export function importError(problem: string, at?: string): ImportError {
  return new ImportError(problem, at === undefined ? {} : { at });
}

/** For a file that is refused as a whole. */
export function nothingImported(problem: string, advice = ''): ImportError {
  return new ImportError(`${problem} Nothing was imported. ${advice}`.trimEnd(), { saysNothingImported: true });
}

export function truncatedError(at: string): ImportError {
  return new ImportError('the file ends early. Create or copy it again, and import it again.', { at, isPartial: true });
}
