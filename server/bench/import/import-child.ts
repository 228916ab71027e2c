// Reads an export without the service, or imports it with the command line. A process of its own, for its memory.
import { runCli } from '../../src/cli/run-cli.ts';
import {
  createImportThreads,
  openInThread,
  runImport,
  startPosition,
} from '../../src/features/intake/imports/index.ts';
import { answerParent } from '../support/bench-child.ts';

export type Measured = {
  readonly records: number;
  readonly seconds: number;
  /** Of all threads. */
  readonly cpuSeconds: number;
  readonly peakMb: number;
};

answerParent({
  read: (path: string) => measure(() => readOnly(path)),
  import: (options: { path: string; userId: string; dataDir: string }) => measure(() => importAll(options)),
});

async function measure(run: () => Promise<number>): Promise<Measured> {
  const [startMs, before] = [performance.now(), process.cpuUsage()];
  const records = await run();
  const { user, system } = process.cpuUsage(before);
  return {
    records,
    seconds: (performance.now() - startMs) / 1_000,
    cpuSeconds: (user + system) / 1_000_000,
    peakMb: (process.resourceUsage().maxRSS * 1_024) / 1_000_000,
  };
}

async function readOnly(path: string): Promise<number> {
  const threads = createImportThreads();
  const opened = await openInThread(threads, '', path, { format: null, timezone: null, mapping: {} });
  const { records } = await runImport({
    read: opened.read,
    send: async () => ({ upload_id: '', accepted: 0, duplicates: 0, deleted: 0, rejected: [], rejected_count: 0 }),
    from: startPosition('bench'),
    positions: { save: () => undefined, remove: () => undefined },
    onProgress: () => undefined,
  });
  await threads.close();
  return records;
}

async function importAll({ path, userId, dataDir }: { path: string; userId: string; dataDir: string }) {
  let stdout = '';
  const code = await runCli({
    argv: ['import', path, '--user', userId, '--json'],
    environment: { TRIBUTARY_DATA_DIR: dataDir },
    stdout: (text) => {
      stdout += text;
    },
    stderr: (text) => void process.stderr.write(text),
    readSecret: async () => '',
    onStopSignal: () => undefined,
    onReloadSignal: () => undefined,
    exitNow: (status) => process.exit(status),
  });
  if (code !== 0) throw new Error(`the import ended with ${code}`);
  return (JSON.parse(stdout) as { records: number }).records;
}
