// Runs the tests of the Python client against a service.
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { it } from 'node:test';
import { startTestService } from '../../../server/test/support/test-service.ts';

const FOLDER = resolve(import.meta.dirname, '..');
const isMissing = spawnSync('python3', ['--version']).error !== undefined;

it('the Python client passes its tests', { skip: isMissing && 'python3 is not installed' }, async (t) => {
  const service = await startTestService();
  t.after(() => service.stop());
  const env = {
    ...process.env,
    PYTHONDONTWRITEBYTECODE: '1',
    PYTHONPATH: FOLDER,
    TRIBUTARY_URL: service.url,
    TRIBUTARY_API_KEY: service.keys.sandbox,
  };
  const tests = spawn('python3', ['-m', 'unittest', 'discover', 'test'], { cwd: FOLDER, env });
  let output = '';
  for (const stream of [tests.stdout, tests.stderr])
    stream.on('data', (chunk) => {
      output += chunk;
    });
  const [code] = await once(tests, 'close');
  assert.equal(code, 0, output);
  assert.match(output, /Ran [1-9]\d* tests/);
});
