// A backup, restore or move that cannot be done; the message says what to do.
import { CliError } from '../cli-error.ts';

export class CopyError extends CliError {}
