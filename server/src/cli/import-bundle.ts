// tributary import of a portable bundle. The whole file is checked before the first line is sent.
import { statSync } from 'node:fs';
import { loadConfig } from '../config.ts';
import {
  batchLines,
  type CheckedBundle,
  checkBundle,
  type ImportSummary,
  openBundle,
  presentSummary,
  readBundle,
  summarizeBundle,
} from '../features/intake/imports/index.ts';
import { countOf } from './count-of.ts';
import { openPosition } from './import-position.ts';
import { createProgress } from './import-progress.ts';
import { describeSummary } from './import-summary.ts';
import { callOperator, RefusedError } from './operator-client.ts';
import { sendBatch } from './send-batch.ts';
import { createStopSignal, printJson, printNote, restate, type Terminal } from './terminal.ts';

type Started = { readonly devices: readonly { device: number; id: string }[]; readonly other_devices: number };
type Stored = {
  readonly accepted: number;
  readonly duplicates: number;
  readonly rejected: number;
  readonly routes_not_kept: number;
};

type Options = { readonly dryRun?: boolean; readonly json?: boolean; readonly samePerson?: string };

/** Returns the exit code. */
export async function importBundle(
  terminal: Terminal,
  path: string,
  userId: string,
  options: Options,
): Promise<number> {
  const bundle = await checkBundle(
    openBundle(path, () => undefined),
    new Date(),
  );
  const summary = options.dryRun
    ? summarizeBundle(bundle, { accepted: bundle.records - bundle.rejected, duplicates: 0, rejected: 0, batches: 0 })
    : await store(terminal, path, userId, bundle, options);
  if (options.json) printJson(terminal, presentSummary(summary));
  else terminal.stdout(describeSummary(summary, 'bundle', options.dryRun ?? false));
  return 0;
}

async function store(
  terminal: Terminal,
  path: string,
  userId: string,
  bundle: CheckedBundle,
  options: Options,
): Promise<ImportSummary> {
  const base = `/admin/users/${encodeURIComponent(userId)}/bundle`;
  const settings = { userId, format: 'bundle', mapping: {}, timezone: null } as const;
  const position = openPosition(loadConfig(terminal.environment).dataDir, path, settings);
  const stop = createStopSignal(terminal);
  const started = await start(terminal, base, bundle, options.samePerson ?? null);
  const say = (text: string) => printNote(terminal, `${text}\n`);
  if (position.isContinued) say(`Continuing an interrupted import after ${position.from.counts.batches} batches.`);
  if (started.other_devices > 0)
    say(
      `The user has ${countOf(started.other_devices, 'device')} that the bundle does not have. Reads consolidate them with the imported ones.`,
    );
  const idOf = new Map(started.devices.map(({ device, id }) => [device, id]));
  const counts = { ...position.from.counts, batches: 0 };
  const progress = createProgress(terminal);
  const { size } = statSync(path);
  let read = 0;
  let routesNotKept = 0;
  const bytes = openBundle(path, (count) => {
    read += count;
  });
  try {
    for await (const { device, lines } of batchLines(readBundle(bytes))) {
      counts.batches += 1;
      if (counts.batches <= position.from.counts.batches) continue;
      const body = { device_id: device === null ? null : (idOf.get(device) ?? null), devices: started.devices, lines };
      const stored = await sendBatch<Stored>(terminal, `${base}/lines`, body, stop);
      counts.accepted += stored.accepted;
      counts.duplicates += stored.duplicates;
      counts.rejected += stored.rejected;
      routesNotKept += stored.routes_not_kept;
      counts.records += stored.accepted + stored.duplicates;
      position.save({ runId: position.from.runId, counts });
      progress.show({ records: counts.records, share: read / size });
    }
  } finally {
    progress.finish();
  }
  position.remove();
  return summarizeBundle(bundle, { ...counts, routesNotKept });
}

async function start(
  terminal: Terminal,
  path: string,
  { header, user, devices }: CheckedBundle,
  reference: string | null,
): Promise<Started> {
  try {
    const body = { lines: [header, user, ...devices], confirmed_reference: reference };
    return await callOperator<Started>(terminal, 'POST', path, body);
  } catch (error) {
    if (!(error instanceof RefusedError && error.code === 'bundle_of_another_user')) throw error;
    const name = JSON.stringify(header.reference_id);
    throw restate(
      error,
      `The bundle comes from the user with the reference ${name}, but the user you named has another reference. Nothing was imported. If both are the same person, run the command again with --same-person ${name}.`,
    );
  }
}
