// Prints errors of commands: as text, or with `--json` in the form of the API's errors.
import { CommanderError } from 'commander';
import { CliError, type ErrorAnswer } from '../platform/cli-error.ts';
import { type Terminal, wantsJson } from './terminal.ts';

type ErrorOutput = Pick<Terminal, 'argv' | 'stderr'>;

/** Returns the exit code. */
export function reportFailure(terminal: ErrorOutput, error: unknown): number {
  if (error instanceof CommanderError) {
    if (error.exitCode !== 0 && wantsJson(terminal)) printAnswer(terminal, explainUsage(error)); // else commander has printed it
    return error.exitCode;
  }
  if (error instanceof CliError) printError(terminal, error);
  else if (wantsJson(terminal)) printAnswer(terminal, explainUnexpected(error));
  else throw error;
  return 1;
}

export function printError(terminal: ErrorOutput, error: CliError): void {
  if (wantsJson(terminal)) printAnswer(terminal, error.answer ?? describe('command_failed', error.message));
  else terminal.stderr(`${error.message}\n`);
}

function explainUsage({ message }: CommanderError): ErrorAnswer {
  return describe('invalid_usage', message.replace(/^error: /, ''));
}

function explainUnexpected(error: unknown): ErrorAnswer {
  const { message, stack } = error instanceof Error ? error : new Error(String(error));
  return describe('internal', message, { stack });
}

function describe(error: string, message: string, details: object = {}): ErrorAnswer {
  return { error, message, details };
}

function printAnswer(terminal: ErrorOutput, { error, message, details }: ErrorAnswer): void {
  terminal.stderr(`${JSON.stringify({ error, message, details })}\n`);
}
