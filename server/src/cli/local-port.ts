// The port of a command that serves on this machine.
import { once } from 'node:events';
import type { AddressInfo, Server } from 'node:net';
import { CommandError } from './terminal.ts';

export function readPort(text: string): number {
  const port = Number(text);
  if (!/^\d+$/.test(text) || port > 65_535) throw new CommandError('--port must be a number from 0 to 65535.');
  return port;
}

/** Returns the port, which is another one for 0. */
export async function listenLocally(server: Server, port: number): Promise<number> {
  server.listen(port, '127.0.0.1');
  try {
    await once(server, 'listening');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const why = code === 'EADDRINUSE' ? 'is in use' : `cannot be used (${code})`;
    throw new CommandError(`Port ${port} ${why}. Choose another one with --port.`, { cause: error });
  }
  return (server.address() as AddressInfo).port;
}
