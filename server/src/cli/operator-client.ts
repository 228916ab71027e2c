// Calls the running service's operator API, found through the data folder.
import { loadConfig } from '../config.ts';
import { readServiceAddress } from '../platform/data-folder.ts';
import { callLoopback } from '../platform/loopback-client.ts';
import { CommandError, type Terminal } from './terminal.ts';

export async function callOperator<Body>(
  terminal: Terminal,
  method: string,
  path: string,
  body?: unknown,
): Promise<Body> {
  const { dataDir } = loadConfig(terminal.environment);
  const address = readServiceAddress(dataDir);
  if (!address) throw notRunning(dataDir);
  const reply = await callLoopback(`${address.adminUrl}${path}`, {
    method,
    token: address.operatorToken,
    ...(body === undefined ? {} : { body }),
  }).catch(() => {
    throw notRunning(dataDir);
  });
  if (reply.status >= 400) throw new CommandError(describeFailure(reply.body));
  return reply.body as Body;
}

function notRunning(dataDir: string): CommandError {
  return new CommandError(
    `No service is running on the data folder ${dataDir}. Start it with "npm start", or set TRIBUTARY_DATA_DIR to the folder of the one you mean.`,
  );
}

function describeFailure(body: unknown): string {
  const { message, details } = body as { message?: string; details?: { issues?: { path: string; message: string }[] } };
  const issues = (details?.issues ?? []).map((issue) => `  - ${issue.path} ${issue.message}`);
  return [message ?? 'The service refused.', ...issues].join('\n');
}
