// Libraries print by themselves: graphile-worker, for example, traces the error that ends a worker. Their lines go to the log, so that
// every line of the service can be parsed and no secret of an error object is printed.
import { format } from 'node:util';
import type { Logger } from './log.ts';

type Printer = Pick<Console, 'error' | 'info' | 'log' | 'trace' | 'warn'>;

export function redirectConsole(log: Pick<Logger, 'debug' | 'warn'>, target: Printer = console): void {
  for (const method of ['error', 'trace', 'warn'] as const)
    target[method] = (...args) => log.warn(describe(args), TEXT);
  for (const method of ['info', 'log'] as const) target[method] = (...args) => log.debug(describe(args), TEXT);
}

const TEXT = 'a library printed a message';

/** The log describes an error by its safe fields: the database driver attaches the whole connection to it. */
function describe(args: readonly unknown[]): { readonly printed: string; readonly err?: Error } {
  const err = args.find((arg) => arg instanceof Error);
  const printed = format(...args.filter((arg) => !(arg instanceof Error)));
  return err === undefined ? { printed } : { printed, err };
}
