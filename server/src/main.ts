// The entry point: the only file in src that reads argv and the environment and ends the process.
import { fstatSync, writeSync } from 'node:fs';
import { readSecret } from './cli/read-secret.ts';
import { runCli } from './cli/run-cli.ts';
import { adviseOnFileError } from './platform/file-errors.ts';

const isService = process.argv[2] === 'serve';

process.stderr.on('error', () => undefined); // there is no other place to report it
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (isService) return; // nobody reads the banner any more, or its disk is full, which must not stop the service
  if (error.code === 'EPIPE') process.exit(0); // `tributary openapi | head` closes the pipe early, which is not an error
  failOutput(error);
});

function failOutput(error: Error): never {
  const advice = adviseOnFileError(error);
  process.stderr.write(`The output cannot be written: ${error.message}.${advice === null ? '' : ` ${advice}.`}\n`);
  process.exit(1);
}

const writesFile = !isService && fstatSync(1).isFile();

/** If a disk gets full, a file takes only a part of a text. The stream of Node does not notice that. */
function writeWhole(text: string): void {
  let rest = Buffer.from(text);
  try {
    while (rest.length > 0) rest = rest.subarray(writeSync(1, rest));
  } catch (error) {
    failOutput(error as Error);
  }
}

process.exitCode = await runCli({
  argv: process.argv.slice(2),
  environment: process.env,
  isTty: process.stderr.isTTY === true,
  stdout: (text) => (writesFile ? writeWhole(text) : void process.stdout.write(text)),
  stderr: (text) => void process.stderr.write(text),
  readSecret: (prompt) => readSecret(process.stdin, process.stderr, prompt),
  onStopSignal: (listener) => {
    process.on('SIGINT', listener);
    process.on('SIGTERM', listener);
  },
  onReloadSignal: (listener) => void process.on('SIGHUP', listener),
  exitNow: (code) => process.exit(code),
});
