// Imports an uploaded bundle, with the checks of the command line: the whole file before its first line, and whose it is.
import { stat } from 'node:fs/promises';
import { AppError } from '../../../../platform/errors.ts';
import type { Services } from '../../../../platform/services.ts';
import type { ThreadPool } from '../../../../platform/threads/thread-pool.ts';
import type { Actor } from '../../../tenancy/accounts/index.ts';
import type { UserHandle } from '../../../tenancy/user-core/index.ts';
import { batchLines } from '../bundle/batch-lines.ts';
import { type CheckedBundle, readBundle } from '../bundle/check-bundle.ts';
import { checkInThread } from '../bundle/check-in-thread.ts';
import { openBundle } from '../bundle/open-bundle.ts';
import { type StartedImport, startBundleImport } from '../bundle/start-bundle-import.ts';
import { storeBundleLines } from '../bundle/store-bundle-lines.ts';
import { summarizeBundle } from '../bundle/summarize-bundle.ts';
import { importError } from '../import-error.ts';
import type { ImportPosition, ImportSummary } from '../run-import.ts';

export type ImportProgress = {
  /** Of an earlier process, or the beginning. */
  readonly from: ImportPosition;
  savePosition(position: ImportPosition): void;
  /** Throws if a member cancelled the import. */
  requireActive(): void;
  /** Aborts if a member cancelled the import. */
  readonly signal: AbortSignal;
  setFormat(format: string): void;
  /** `share` of the file, from 0 to 1. */
  show(counts: ImportPosition['counts'], share: number): void;
};

type BundleServices = Parameters<typeof startBundleImport>[0] &
  Pick<Services, 'clock' | 'db' | 'userMutex'> & { readonly importThreads: ThreadPool };

type BundleImport = {
  readonly path: string;
  readonly user: UserHandle;
  readonly actor: Actor;
  readonly progress: ImportProgress;
};

export async function importMemberBundle(
  services: BundleServices,
  { path, user, actor, progress }: BundleImport,
): Promise<ImportSummary> {
  progress.setFormat('bundle');
  const { importThreads, clock } = services;
  const bundle = await checkInThread(importThreads, user.tenant.accountId, path, clock.now(), progress.signal);
  const { devices } = await start(services, user, bundle, actor);
  const { size } = await stat(path);
  const { runId, counts: before } = progress.from;
  const counts = { ...before, batches: 0 };
  let [read, routesNotKept] = [0, 0];
  const bytes = openBundle(path, (count) => {
    read += count;
  });
  for await (const { device, lines } of batchLines(readBundle(bytes))) {
    counts.batches += 1;
    if (counts.batches <= before.batches) continue;
    progress.requireActive();
    const deviceId = device === null ? null : (devices.get(device) ?? null);
    const stored = await storeBundleLines(services, user, { deviceId, devices, lines });
    counts.accepted += stored.accepted;
    counts.duplicates += stored.duplicates;
    counts.rejected += stored.rejected;
    counts.records += stored.accepted + stored.duplicates;
    routesNotKept += stored.routesNotKept;
    progress.savePosition({ runId, counts: { ...counts } });
    progress.show(counts, read / size);
  }
  return summarizeBundle(bundle, { ...counts, routesNotKept });
}

async function start(
  services: BundleServices,
  user: UserHandle,
  { header, user: owner, devices }: CheckedBundle,
  actor: Actor,
): Promise<StartedImport> {
  try {
    return await startBundleImport(services, user, { header, user: owner, devices, confirmedReference: null }, actor);
  } catch (error) {
    if (!(error instanceof AppError && error.code === 'bundle_of_another_user')) throw error;
    const name = JSON.stringify(header.reference_id);
    throw importError(
      `The bundle comes from the user with the reference ${name}, but this user has another reference. Nothing was imported. If both are the same person, import the file with tributary import and --same-person ${name}.`,
    );
  }
}
