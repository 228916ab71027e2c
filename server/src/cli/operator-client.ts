// Calls the operator API of the running service, whose address is in the data folder.
import { loadConfig } from '../config.ts';
import type { ErrorAnswer } from '../platform/cli-error.ts';
import { readServiceAddress, readWorkerAddress } from '../platform/data-folder.ts';
import { callOperatorSocket } from '../platform/operator-socket.ts';
import { CommandError, type Terminal } from './terminal.ts';

const UNAVAILABLE = 503;

/** The service is unreachable, starting or stopping, so a retry may succeed. */
export class ServiceAwayError extends CommandError {
  /** `body`: of the response, if there is one. */
  constructor(message: string, body: unknown = null) {
    super(message);
    this.answer = { error: 'unavailable', message, details: {}, ...(body as Partial<ErrorAnswer> | null) };
  }
}

/** The service rejected the call. */
export class RefusedError extends CommandError {
  readonly code: string;

  constructor(body: unknown) {
    const message = describeFailure(body);
    super(message);
    this.code = readCode(body);
    this.answer = { error: this.code, message, details: {}, ...(body as Partial<ErrorAnswer> | null) };
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
  if (reply.status === UNAVAILABLE) throw new ServiceAwayError(describeFailure(reply.body), reply.body);
  if (reply.status >= 400) throw new RefusedError(reply.body);
  return reply.body as Body;
}

function notRunning(dataDir: string): ServiceAwayError {
  if (readWorkerAddress(dataDir))
    return new ServiceAwayError(
      `The data folder ${dataDir} is that of a worker, which answers only "tributary doctor". Run this command where an API process runs.`,
    );
  return new ServiceAwayError(
    `No service is running on the data folder ${dataDir}. Start it with "npm start", or set TRIBUTARY_DATA_DIR to the data folder of the running service.`,
  );
}

/** Their messages point to a field of the response, which the command line prints below. */
const INVALID_INPUT: ReadonlySet<string> = new Set(['invalid_body', 'invalid_parameter']);

function readCode(body: unknown): string {
  const { error } = (body ?? {}) as { error?: unknown };
  return typeof error === 'string' ? error : '';
}

function describeFailure(body: unknown): string {
  const { message, details } = body as { message?: string; details?: { issues?: { path: string; message: string }[] } };
  const issues = (details?.issues ?? []).map((issue) => `  - ${issue.path} ${issue.message}`);
  const summary = issues.length > 0 && INVALID_INPUT.has(readCode(body)) ? 'The input is invalid:' : message;
  return [summary ?? 'The service rejected the call.', ...issues].join('\n');
}
