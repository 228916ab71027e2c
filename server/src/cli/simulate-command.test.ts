// Tests of tributary simulate, from start to Ctrl-C.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { waitUntil } from '../../test/support/wait-until.ts';
import { simulate } from './simulate-command.ts';
import { CommandError, type Terminal } from './terminal.ts';

function openTerminal() {
  const output: string[] = [];
  const stops: (() => void)[] = [];
  const terminal: Terminal = {
    argv: [],
    environment: {},
    stdout: (text) => void output.push(text),
    stderr: (text) => void output.push(text),
    readSecret: () => Promise.reject(new Error('no secret is read')),
    onStopSignal: (listener) => void stops.push(listener),
    onReloadSignal: () => undefined,
    exitNow: () => undefined,
  };
  const interrupt = () => {
    for (const stop of stops) stop();
  };
  return { terminal, text: () => output.join(''), interrupt };
}

describe('tributary simulate', () => {
  it('prints URLs and credentials, logs one line per request, and stops on a signal', async () => {
    const { terminal, text, interrupt } = openTerminal();
    const ended = simulate(terminal, { port: '0', name: 'test' });
    const [, base, id, secret] = await waitUntil('the table', () => /^oura +(\S+) +(\S+) +(\S+)$/m.exec(text()));
    assert.ok(base && id && secret);
    const form = { grant_type: 'refresh_token', refresh_token: 'x', client_id: id, client_secret: secret };
    const response = await fetch(`${base}/oauth/token`, { method: 'POST', body: new URLSearchParams(form) });
    assert.equal(((await response.json()) as { error: string }).error, 'invalid_grant', 'the client was accepted');
    assert.match(text(), /^400 {2}POST {4}\/oura\/oauth\/token$/m);
    const large = await fetch(`${base}/oauth/token`, { method: 'POST', body: 'x'.repeat(1_100_000) });
    assert.equal(large.status, 413);
    interrupt();
    await ended;
  });

  it('prints JSON, with the same secrets for the same name', async () => {
    const secrets = [];
    for (const name of ['one', 'one', 'two']) {
      const { terminal, text, interrupt } = openTerminal();
      const ended = simulate(terminal, { port: '0', name, json: true });
      await waitUntil('a line', () => text().includes('\n'));
      const [line = ''] = text().split('\n');
      secrets.push((JSON.parse(line) as { client_secret: string }).client_secret);
      interrupt();
      await ended;
    }
    assert.equal(secrets[0], secrets[1]);
    assert.notEqual(secrets[0], secrets[2]);
  });

  it('rejects an invalid port', async () => {
    await assert.rejects(simulate(openTerminal().terminal, { port: '99999', name: 'test' }), CommandError);
  });
});
