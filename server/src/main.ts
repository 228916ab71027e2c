// The entry point: the only file in src that reads argv and the environment and ends the process.
import { readSecret } from './cli/read-secret.ts';
import { runCli } from './cli/run-cli.ts';

const isService = process.argv[2] === 'serve';

process.stderr.on('error', () => undefined); // there is no other place to report it
process.stdout.on('error', ({ code, message }: NodeJS.ErrnoException) => {
  if (isService) return; // nobody reads the banner any more, or its disk is full, which must not stop the service
  if (code === 'EPIPE') process.exit(0); // `tributary openapi | head` closes the pipe early, which is not an error
  process.stderr.write(`The output cannot be written: ${message}.\n`);
  process.exit(1);
});

process.exitCode = await runCli({
  argv: process.argv.slice(2),
  environment: process.env,
  isTty: process.stderr.isTTY === true,
  stdout: (text) => void process.stdout.write(text),
  stderr: (text) => void process.stderr.write(text),
  readSecret: (prompt) => readSecret(process.stdin, process.stderr, prompt),
  onStopSignal: (listener) => {
    process.on('SIGINT', listener);
    process.on('SIGTERM', listener);
  },
  onReloadSignal: (listener) => void process.on('SIGHUP', listener),
  exitNow: (code) => process.exit(code),
});
