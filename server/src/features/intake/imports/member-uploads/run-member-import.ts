// Runs the import of an uploaded file in the background, with the readers of the command line, and keeps its state up to date.

import { dirname, sep } from 'node:path';
import { SCOPES } from '../../../../domain/metrics/categories.ts';
import { FILE_PROVIDER, ON_DEVICE_PROVIDERS } from '../../../../domain/provider-ids.ts';
import { SECOND_MS } from '../../../../domain/time/durations.ts';
import { AppError } from '../../../../platform/errors.ts';
import type { Services } from '../../../../platform/services.ts';
import type { Actor } from '../../../tenancy/accounts/index.ts';
import type { UserHandle } from '../../../tenancy/user-core/index.ts';
import { receiveCountedUpload, type UploadAnswer } from '../../uploads/index.ts';
import { auditImport } from '../audit-import.ts';
import { isBundle } from '../bundle/open-bundle.ts';
import { ImportError } from '../import-error.ts';
import { openInThread } from '../import-thread.ts';
import { presentSummary } from '../present-summary.ts';
import { type ImportPosition, type ImportSummary, runImport, startPosition } from '../run-import.ts';
import type { ImportFolder } from './import-folder.ts';
import { type ImportProgress, importMemberBundle } from './import-member-bundle.ts';
import type { MemberImport, MemberImportOptions } from './member-import.ts';

export type ImportServices = Parameters<typeof receiveCountedUpload>[0]['services'] &
  Pick<Services, 'clock' | 'db' | 'importThreads' | 'log' | 'settings'>;

type MemberImportRun = {
  readonly folder: ImportFolder;
  readonly state: MemberImport;
  readonly user: UserHandle;
  readonly options: MemberImportOptions;
};

class ImportCancelled extends Error {
  override readonly name = 'ImportCancelled';
}

/** Another account waits for the thread. */
class ThreadWanted extends Error {
  override readonly name = 'ThreadWanted';
}

const SAVE_EVERY_MS = SECOND_MS;
const LOOK_FOR_CANCEL_MS = SECOND_MS / 2;
/** Also while a batch is stored, so that no other process continues the import. */
const HEARTBEAT_MS = 5 * SECOND_MS;
const FAILED = 'The import failed. Upload the file again: records that are stored are not stored twice.';

/** Never throws: the result is in the state. An import that the end of the process interrupts keeps its state, and is continued. */
export async function runMemberImport(services: ImportServices, run: MemberImportRun): Promise<void> {
  const { folder } = run;
  let { state } = run;
  const update = (change: Partial<MemberImport>) => {
    state = { ...state, ...change, updated_at: services.clock.now().toISOString() };
  };
  const save = (change: Partial<MemberImport>) => {
    update(change);
    folder.save(state);
  };
  const heartbeat = setInterval(() => {
    if (services.settings.isUp()) save({});
  }, HEARTBEAT_MS).unref();
  const cancel = new AbortController();
  const lookForCancel = setInterval(() => {
    if (folder.isCancelled(state)) cancel.abort(new ImportCancelled());
  }, LOOK_FOR_CANCEL_MS).unref();
  try {
    const summary = await importFile(services, run, save, cancel.signal);
    update({ ...presentSummary(summary), status: summary.failure === null ? 'done' : 'failed', share: 1 });
  } catch (error) {
    const isCancelled = error instanceof ImportCancelled;
    if (!isCancelled && !services.settings.isUp()) return;
    if (!isCancelled) services.log.warn({ import: state.id, reason: (error as Error).name }, 'import failed');
    update({ status: isCancelled ? 'cancelled' : 'failed', error: isCancelled ? null : describe(error, folder) });
  } finally {
    clearInterval(heartbeat);
    clearInterval(lookForCancel);
  }
  try {
    folder.finish(state);
  } catch (error) {
    services.log.error({ import: state.id, reason: (error as Error).name }, 'the file of an import cannot be deleted');
  }
}

async function importFile(
  services: ImportServices,
  run: MemberImportRun,
  save: (change: Partial<MemberImport>) => void,
  signal: AbortSignal,
): Promise<ImportSummary> {
  const { folder, state } = run;
  let savedMs = 0;
  const progress: ImportProgress = {
    from: folder.readPosition() ?? startPosition(state.id),
    savePosition: (position) => folder.savePosition(state, position),
    requireActive() {
      if (folder.isCancelled(state)) throw new ImportCancelled();
    },
    signal,
    setFormat: (format) => save({ format }),
    show({ records, accepted, duplicates, rejected }, share) {
      if (performance.now() - savedMs < SAVE_EVERY_MS) return;
      savedMs = performance.now();
      save({ records, accepted, duplicates, rejected, share });
    },
  };
  const path = folder.path(state.file_name);
  if (await isBundle(path))
    return importMemberBundle(services, { path, user: run.user, actor: run.options.actor, progress });
  return importRecords(services, run, path, progress);
}

async function importRecords(
  services: ImportServices,
  run: MemberImportRun,
  path: string,
  progress: ImportProgress,
): Promise<ImportSummary> {
  let { from } = progress;
  const savePosition = (position: ImportPosition) => {
    from = position;
    progress.savePosition(position);
  };
  for (;;) {
    try {
      return await importSlice(services, run, path, { ...progress, from, savePosition });
    } catch (error) {
      if (!(error instanceof ThreadWanted)) throw error;
    }
  }
}

/** To the end of the file, or until another account has waited for the thread. */
async function importSlice(
  services: ImportServices,
  { user, options }: MemberImportRun,
  path: string,
  { from, savePosition, requireActive, setFormat, show, signal }: ImportProgress,
): Promise<ImportSummary> {
  const { importThreads } = services;
  const { timezone, mapping, actor } = options;
  const settings = { format: null, timezone, mapping, temporaryFolder: dirname(path) };
  const opened = await openInThread(importThreads, user.tenant.accountId, path, settings, signal);
  let storing: Promise<unknown> = Promise.resolve();
  let firstMs: number | null = null; // not from the start: each slice first reads over what is stored
  try {
    setFormat(opened.format);
    const summary = await runImport({
      read: opened.read,
      async send(body) {
        requireActive();
        if (firstMs !== null && performance.now() - firstMs >= importThreads.sliceMs && importThreads.isWanted())
          throw new ThreadWanted();
        firstMs ??= performance.now();
        const answer = storeBatch(services, user, actor, body);
        storing = answer.catch(() => undefined);
        return answer;
      },
      from,
      positions: { save: savePosition, remove: () => undefined },
      onProgress: (counts, bytesRead) => show(counts, bytesRead / Math.max(1, opened.totalBytes)),
    });
    if (summary.failure !== null && !summary.failure.isPartial && summary.accepted === 0) throw summary.failure;
    return summary;
  } finally {
    opened.close();
    await storing; // nothing is stored after the end
  }
}

/** As an upload of a phone, with its checks. */
async function storeBatch(
  services: ImportServices,
  user: UserHandle,
  actor: Actor,
  body: Uint8Array<ArrayBuffer>,
): Promise<UploadAnswer> {
  const audit = auditImport(user, actor);
  const caller = {
    tenant: user.tenant,
    userId: user.userId,
    scopes: SCOPES,
    sources: [...ON_DEVICE_PROVIDERS, FILE_PROVIDER],
    installationId: 'import',
    sessionCreatedAt: services.clock.now(),
    sessionId: null,
    recordChange: audit.recordChange,
  };
  const packed = { bytes: Buffer.from(body.buffer, body.byteOffset, body.byteLength), encoding: 'identity' } as const;
  const answer = await receiveCountedUpload({ services, caller }, packed);
  audit.finish();
  return answer;
}

/** Messages of readers name the file, and must not name the folder of the service. */
function describe(error: unknown, folder: ImportFolder): string {
  if (error instanceof AppError) return error.message;
  return error instanceof ImportError ? error.message.replaceAll(folder.path('') + sep, '') : FAILED;
}
