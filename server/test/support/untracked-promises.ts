// Loaded before `node:test`, which otherwise follows every promise of a test file with a hook, to name the test that an unhandled error
// belongs to. That takes a third of the time of a test file: the hook runs whenever a promise is created and again when it is freed.
// Without it an unhandled error still fails the run, under the name of its file, and its stack is printed here.
// TEST_TRACK_PROMISES=1 restores the hook, to find the test of such an error.
//
// A process that runs several files needs the hook: by it, an `after` at the end of a file is called then and not when the process ends.
import asyncHooks from 'node:async_hooks';
import path from 'node:path';

const isGroup = path.basename(process.argv[1] ?? '').startsWith('group-');

if (!isGroup && process.env.TEST_TRACK_PROMISES !== '1') {
  const { createHook } = asyncHooks;
  asyncHooks.createHook = (options) => createHook({ ...options, trackPromises: false });
  const print = (error: unknown) =>
    process.stderr.write(`unhandled: ${error instanceof Error ? error.stack : String(error)}\n`);
  process.on('uncaughtExceptionMonitor', print);
  process.on('unhandledRejection', print);
}
