// Calls the running service's operator API, found through the data folder.
import { loadConfig } from '../config.ts';
import { readServiceAddress } from '../platform/data-folder.ts';
import { callOperatorSocket } from '../platform/operator-socket.ts';
import { CommandError, type Terminal } from './terminal.ts';

const UNAVAILABLE = 503;

/** Nobody answers, or only that it is starting or stopping: it may be back soon. */
export class ServiceAwayError extends CommandError {}

/** The service understood the call and refuses it. */
export class RefusedError extends CommandError {
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}

export async function callOperator<Body>(
  terminal: Terminal,
  method: string,
  path: string,
  body?: unknown,
  signal?: AbortSignal,
): Promise<Body> {
  const { dataDir } = loadConfig(terminal.environment);
  const address = readServiceAddress(dataDir);
  if (!address) throw notRunning(dataDir);
  const reply = await callOperatorSocket(dataDir, address, path, {
    method,
    ...(body === undefined ? {} : { body }),
    ...(signal === undefined ? {} : { signal }),
  });
  if (reply === null) throw notRunning(dataDir);
  if (reply.status === UNAVAILABLE) throw new ServiceAwayError(describeFailure(reply.body));
  if (reply.status >= 400) throw new RefusedError(readCode(reply.body), describeFailure(reply.body));
  return reply.body as Body;
}

function notRunning(dataDir: string): ServiceAwayError {
  return new ServiceAwayError(
    `No service is running on the data folder ${dataDir}. Start it with "npm start", or set TRIBUTARY_DATA_DIR to the folder of the one you mean.`,
  );
}

function readCode(body: unknown): string {
  const { error } = (body ?? {}) as { error?: unknown };
  return typeof error === 'string' ? error : '';
}

function describeFailure(body: unknown): string {
  const { message, details } = body as { message?: string; details?: { issues?: { path: string; message: string }[] } };
  const issues = (details?.issues ?? []).map((issue) => `  - ${issue.path} ${issue.message}`);
  return [message ?? 'The service refused.', ...issues].join('\n');
}
