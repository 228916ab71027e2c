import assert from 'node:assert/strict';
import { createServer } from 'node:net';
import { describe, it } from 'node:test';
import { listenLocally, readPort } from './local-port.ts';
import { mcpCommand } from './mcp-command.ts';
import { serveSimulator } from './simulator-server.ts';
import { CommandError, type Terminal } from './terminal.ts';

const TERMINAL: Terminal = {
  argv: [],
  environment: {},
  stdout: () => undefined,
  stderr: () => undefined,
  readSecret: async () => '',
  onStopSignal: () => undefined,
  onReloadSignal: () => undefined,
  exitNow: () => undefined,
};

describe('the port of a command', () => {
  it('is a number that a port can have', () => {
    assert.equal(readPort('8090'), 8090);
    for (const text of ['abc', '-1', '65536', '', '1e3']) assert.throws(() => readPort(text), CommandError, text);
  });

  it('that cannot be used is explained', async (t) => {
    const taken = createServer();
    t.after(() => taken.close());
    const port = await listenLocally(taken, 0);
    const message = `Port ${port} is in use. Choose another one with --port.`;
    await assert.rejects(mcpCommand(TERMINAL, { port: String(port) }), { message });
    await assert.rejects(mcpCommand(TERMINAL, { port: '99999' }), /--port must be a number/);
    const options = { key: Buffer.alloc(32), redirectUris: 'loopback', webhookUrlOf: () => null } as const;
    await assert.rejects(serveSimulator({ ...options, port, now: () => new Date() }), { message });
  });
});
