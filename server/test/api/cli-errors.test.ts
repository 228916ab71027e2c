// With --json, every error of a command is one line of JSON on stderr.
import assert from 'node:assert/strict';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { ServiceAwayError } from '../../src/cli/operator-client.ts';
import { reportFailure } from '../../src/cli/report-error.ts';
import { runCli } from '../support/run-cli.ts';
import { startTestService } from '../support/test-service.ts';

const service = await startTestService();
after(() => service.stop());
const folder = mkdtempSync(join(tmpdir(), 'cli-errors-'));

async function fail(args: readonly string[], environment: Record<string, string> = {}) {
  const text = await runCli(service, args, environment);
  const json = await runCli(service, [...args, '--json'], environment);
  assert.notEqual(text.code, 0);
  assert.equal(json.code, text.code, 'the same exit code');
  assert.equal(json.stdout, '');
  assert.match(json.stderr, /^\{.*\}\n$/, 'one line');
  const error = JSON.parse(json.stderr);
  assert.deepEqual(Object.keys(error), ['error', 'message', 'details']);
  return { error, text: text.stderr };
}

describe('an error with --json', () => {
  it('is the response of the service if it rejects the call', async () => {
    const { error, text } = await fail(['accounts', 'rename', '--account', 'nobody', '--name', 'x']);
    assert.equal(error.error, 'not_found');
    assert.ok(text.includes(error.message), text);
  });

  it('has the issues of an invalid input as details', async () => {
    const { error, text } = await fail(['accounts', 'create', '--name', 'x'.repeat(500)]);
    assert.equal(error.error, 'invalid_body');
    assert.equal(error.details.issues.length, 1);
    assert.ok(text.includes(error.details.issues[0].message), text);
  });

  it('is the response of the API to an export', async () => {
    const args = ['export', '--format', 'ndjson', '--to', join(folder, 'out')];
    const { error } = await fail(args, { TRIBUTARY_URL: service.url, TRIBUTARY_API_KEY: 'sk_live_wrong' });
    assert.equal(error.error, 'invalid_token');
  });

  it('is unavailable if no service runs', async () => {
    const { error } = await fail(['accounts', 'list'], { TRIBUTARY_DATA_DIR: folder });
    assert.equal(error.error, 'unavailable');
    assert.match(error.message, /No service is running/);
  });

  it('is the response of the service if it is overloaded', () => {
    const body = { error: 'overloaded', message: 'Too many calls.', details: { retry_after_seconds: 5 } };
    assert.deepEqual(new ServiceAwayError(body.message, body).answer, body);
  });

  it('is internal, with the stack, for an error that nobody expected', () => {
    const printed: string[] = [];
    const terminal = { argv: ['backup', '--json'], stderr: (text: string) => void printed.push(text) };
    assert.equal(reportFailure(terminal, new TypeError('x is not a function')), 1);
    const { error, message, details } = JSON.parse(printed.join(''));
    assert.deepEqual([error, message], ['internal', 'x is not a function']);
    assert.match(details.stack, /cli-errors/);
  });

  it('is alone on standard error: notes and progress are for people', async () => {
    const args = ['events', 'tail', '--once', '--environment', 'live'];
    assert.equal((await runCli(service, args)).stderr, '0 events.\n');
    assert.equal((await runCli(service, [...args, '--json'])).stderr, '');
  });

  it('is invalid_usage for wrong arguments', async () => {
    for (const args of [['keys', 'create'], ['keys', 'list', '--colour'], ['nothing']]) {
      const { error, text } = await fail(args);
      assert.equal(error.error, 'invalid_usage');
      assert.ok(text.startsWith(`error: ${error.message}\n`), text);
    }
  });

  it('is command_failed for the rest', async () => {
    const file = join(folder, 'file');
    writeFileSync(file, '');
    const { error, text } = await fail(['backup', file]);
    const [message, printed] = [`${error.message}\n`, text].map((one) => one.replaceAll(/\d{8}T\d{6}Z/g, 'NOW')); // each call has its own
    assert.deepEqual([error.error, message], ['command_failed', printed]);
    assert.match(error.message, /is not a folder\. Correct the path, or name another folder\.$/);
  });
});
