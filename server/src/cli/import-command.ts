// tributary import: reads an export of another service or device and sends its records to the running service.
import { readFileSync, statSync } from 'node:fs';
import { loadConfig } from '../config.ts';
import { SCOPES } from '../domain/metrics/categories.ts';
import { FILE_PROVIDER, ON_DEVICE_PROVIDERS } from '../domain/provider-ids.ts';
import { isTimeZoneName } from '../domain/time/calendar.ts';
import {
  type CsvMapping,
  checkMapping,
  createImportThreads,
  type ImportFormat,
  type ImportReader,
  type ImportSummary,
  isBundle,
  openHere,
  openInThread,
  presentSummary,
  runImport,
  startPosition,
} from '../features/intake/imports/index.ts';
import { parseUpload, type UploadAnswer } from '../features/intake/uploads/index.ts';
import { importBundle } from './import-bundle.ts';
import { openPosition, type SavedPosition } from './import-position.ts';
import { createProgress } from './import-progress.ts';
import { describeSummary } from './import-summary.ts';
import { callOperator } from './operator-client.ts';
import { printError } from './report-error.ts';
import { sendBatch } from './send-batch.ts';
import { CommandError, createStopSignal, printJson, printNote, type Terminal } from './terminal.ts';

export type ImportCommandOptions = {
  user: string;
  environment?: 'live' | 'sandbox';
  dryRun?: boolean;
  format?: ImportFormat | 'bundle';
  samePerson?: string;
  map?: string;
  timezone?: string;
  json?: boolean;
};

type Target = { readonly user_id: string; readonly environment: string; readonly timezone: string | null };

/** Returns the exit code. */
export async function importFile(terminal: Terminal, path: string, options: ImportCommandOptions): Promise<number> {
  const target = await callOperator<Target>(terminal, 'GET', pathOf(options.user));
  if (options.environment !== undefined && options.environment !== target.environment)
    throw new CommandError(
      `The user is in the environment ${target.environment}, not ${options.environment}. Check --user, or omit --environment.`,
    );
  if (options.timezone !== undefined && !isTimeZoneName(options.timezone))
    throw new CommandError(`${options.timezone} is not a time zone such as Europe/Berlin.`);
  if (options.format === 'bundle' || (options.format === undefined && (await isBundle(path))))
    return importBundle(terminal, path, target.user_id, options);
  const timezone = options.timezone ?? target.timezone;
  const mapping = readMapping(options.map);
  const threads = isLarge(path) ? createImportThreads() : null;
  try {
    const settings = { format: options.format ?? null, timezone, mapping };
    const opened = await (threads ? openInThread(threads, '', path, settings) : openHere(path, settings));
    try {
      const summary = options.dryRun
        ? await checkOnly(terminal, opened)
        : await store(terminal, opened, openPositionOf(terminal, path, target, { ...settings, opened }), options);
      if (options.json) printJson(terminal, presentSummary(summary));
      else if (summary.failure === null || summary.batches > 0)
        terminal.stdout(describeSummary(summary, opened.format, options.dryRun ?? false));
      else if (!summary.failure.saysNothingImported) printNote(terminal, 'Nothing was imported.\n');
      if (summary.failure !== null) printError(terminal, summary.failure);
      return summary.failure === null ? 0 : 1;
    } finally {
      opened.close();
    }
  } finally {
    await threads?.close();
  }
}

/** Reading a smaller file takes less time than starting a thread. */
const LARGE_BYTES = 4 * 1_048_576;

function isLarge(path: string): boolean {
  return (statSync(path, { throwIfNoEntry: false })?.size ?? 0) > LARGE_BYTES;
}

function openPositionOf(
  terminal: Terminal,
  path: string,
  { user_id: userId }: Target,
  { opened, mapping, timezone }: { opened: ImportReader; mapping: CsvMapping; timezone: string | null },
): SavedPosition {
  const { dataDir } = loadConfig(terminal.environment);
  return openPosition(dataDir, path, { userId, format: opened.format, mapping, timezone });
}

function readMapping(path: string | undefined): CsvMapping {
  if (path === undefined) return {};
  let content: unknown;
  try {
    content = JSON.parse(readFileSync(path, 'utf8'));
  } catch (error) {
    throw new CommandError(`The mapping file ${path} cannot be read: ${(error as Error).message}`);
  }
  const checked = checkMapping(content);
  if ('mapping' in checked) return checked.mapping;
  const { field, message } = checked.problem;
  throw new CommandError(`The mapping file ${path} is invalid: ${field} ${message}`);
}

function pathOf(user: string): string {
  return `/admin/users/${encodeURIComponent(user)}/imports`;
}

async function store(
  terminal: Terminal,
  opened: ImportReader,
  position: SavedPosition,
  options: ImportCommandOptions,
): Promise<ImportSummary> {
  if (position.isContinued)
    printNote(terminal, `Continuing an interrupted import after ${position.from.counts.batches} batches.\n`);
  const stop = createStopSignal(terminal);
  const progress = createProgress(terminal);
  try {
    return await runImport({
      read: opened.read,
      send: (body) => sendBatch<UploadAnswer>(terminal, pathOf(options.user), body, stop),
      from: position.from,
      positions: position,
      onProgress: ({ records }, bytesRead) => progress.show({ records, share: bytesRead / opened.totalBytes }),
    });
  } finally {
    progress.finish();
  }
}

/** Applies the checks of the service without storing anything. */
async function checkOnly(terminal: Terminal, opened: ImportReader): Promise<ImportSummary> {
  const progress = createProgress(terminal);
  const context = { scopes: SCOPES, sources: [...ON_DEVICE_PROVIDERS, FILE_PROVIDER], now: new Date() };
  const summary = await runImport({
    read: opened.read,
    send: async (body) => {
      const { upload, rejected, rejectedCount, sent } = parseUpload(
        JSON.parse(Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString()),
        context,
      );
      const count = Object.values(sent).reduce((sum, items) => sum + items, 0);
      return {
        upload_id: upload.uploadId,
        accepted: count - rejectedCount - upload.duplicates,
        duplicates: upload.duplicates,
        deleted: 0,
        rejected,
        rejected_count: rejectedCount,
      };
    },
    from: startPosition('dry run'),
    positions: { save: () => undefined, remove: () => undefined },
    onProgress: ({ records }, bytesRead) => progress.show({ records, share: bytesRead / opened.totalBytes }),
  });
  progress.finish();
  return summary;
}
