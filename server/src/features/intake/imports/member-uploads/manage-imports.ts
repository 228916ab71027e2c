// Starts, continues, reads and cancels the import of a file that a member uploads in parts.
import { constants, open } from 'node:fs/promises';
import { isTimeZoneName } from '../../../../domain/time/calendar.ts';
import { AppError } from '../../../../platform/errors.ts';
import type { MemberCaller } from '../../../../platform/http/caller.ts';
import { newId } from '../../../../platform/ids.ts';
import { actorOf, insertAudit } from '../../../tenancy/accounts/index.ts';
import { getUserHandleOrThrow } from '../../../tenancy/user-core/index.ts';
import { checkMapping } from '../csv/check-mapping.ts';
import { hasSpaceFor } from '../free-space.ts';
import { type ImportFolder, openImportFolder, sweepFolders } from './import-folder.ts';
import type { MemberImport, NewImport } from './member-import.ts';
import { type ImportServices, runMemberImport } from './run-member-import.ts';

type ImportContext = { readonly services: ImportServices; readonly caller: MemberCaller; readonly requestId: string };

/** Larger files are for `tributary import`, which reads them where they are. */
export const MAX_FILE_BYTES = 4 * 1_073_741_824;
/** File systems allow 255. */
const MAX_NAME_BYTES = 200;

export async function beginImport(context: ImportContext, userId: string, input: NewImport): Promise<MemberImport> {
  const { services, caller } = context;
  const { db, clock, settings } = services;
  const user = await getUserHandleOrThrow(db, caller.tenant, userId);
  if (input.timezone !== undefined && !isTimeZoneName(input.timezone))
    throw invalid('timezone', 'must be a time zone such as Europe/Berlin');
  const checked = checkMapping(input.mapping ?? {});
  if ('problem' in checked)
    throw invalid(`mapping.${checked.problem.field}`.replace(/\.$/, ''), checked.problem.message);
  const now = clock.now();
  sweepFolders(settings.importFolder, now);
  const folder = openImportFolder(settings.importFolder, caller.tenant.accountId);
  if (!hasSpaceFor(folder.makeHome(), input.size_bytes)) throw new AppError('storage_full');
  const state: MemberImport = {
    id: newId(),
    user_id: user.userId,
    environment: user.tenant.environment,
    file_name: cleanName(input.file_name),
    status: 'uploading',
    format: null,
    size_bytes: input.size_bytes,
    received_bytes: 0,
    share: 0,
    records: 0,
    accepted: 0,
    duplicates: 0,
    rejected: 0,
    sources: [],
    skipped: {},
    problems: [],
    error: null,
    started_at: now.toISOString(),
    updated_at: now.toISOString(),
  };
  const actor = actorOf(context);
  const options = { timezone: input.timezone ?? user.timezone, mapping: checked.mapping, actor };
  if (!folder.claim(state, options)) throw new AppError('import_in_progress');
  const details = { file_name: state.file_name, size_bytes: state.size_bytes };
  const entry = { ...user.tenant, at: now, actor, action: 'user.import_started' };
  await db.transaction((tx) => insertAudit(tx, { ...entry, subject: user.userId, userId: user.userId, details }));
  return state;
}

/** Parts arrive in order. A part that arrived before is ignored, so that a lost answer does no harm. The last one starts the import. */
export async function addPart(
  context: ImportContext,
  { userId, importId, offset, bytes }: { userId: string; importId: string; offset: number; bytes: Buffer },
): Promise<MemberImport> {
  const { services, caller } = context;
  const user = await getUserHandleOrThrow(services.db, caller.tenant, userId);
  const { folder, state } = getActiveOrThrow(context, user.userId, importId);
  if (state.status !== 'uploading' || offset < state.received_bytes) return state;
  if (offset > state.received_bytes) throw invalid('offset', `must be ${state.received_bytes}`);
  if (offset + bytes.length > state.size_bytes) throw invalid('offset', 'the file is longer than size_bytes');
  if (!hasSpaceFor(folder.makeHome(), bytes.length)) throw new AppError('storage_full');
  const problem = await writePart(folder.path(state.file_name), offset, bytes);
  // The same part may have arrived twice at the same time, and the import may have ended.
  const latest = getActiveOrThrow(context, user.userId, importId).state;
  if (problem !== null) throw problem;
  if (latest.status !== 'uploading' || latest.received_bytes !== offset) return latest;
  const received = offset + bytes.length;
  const isComplete = received === state.size_bytes;
  const next: MemberImport = {
    ...state,
    received_bytes: received,
    status: isComplete ? 'running' : 'uploading',
    updated_at: services.clock.now().toISOString(),
  };
  folder.save(next);
  if (isComplete) {
    const options = folder.readOptions() ?? { timezone: user.timezone, mapping: {}, actor: actorOf(context) };
    void runMemberImport(services, { folder, state: next, user, options });
  }
  return next;
}

/** Returns the error, which means nothing if the import has ended meanwhile and its folder is gone. */
async function writePart(path: string, offset: number, bytes: Buffer): Promise<Error | null> {
  try {
    const file = await open(path, constants.O_WRONLY | constants.O_CREAT, 0o600);
    try {
      await file.write(bytes, 0, bytes.length, offset);
    } finally {
      await file.close();
    }
    return null;
  } catch (error) {
    return error as Error;
  }
}

/** The import under way, or the last one of the user. */
export async function readImport(context: ImportContext, userId: string) {
  const { services, caller } = context;
  const user = await getUserHandleOrThrow(services.db, caller.tenant, userId);
  sweepFolders(services.settings.importFolder, services.clock.now());
  const folder = openImportFolder(services.settings.importFolder, caller.tenant.accountId);
  const active = folder.readActive();
  const last = folder.readLast();
  const isOwn = (state: MemberImport | null) => state?.user_id === user.userId;
  return {
    current: isOwn(active) ? active : isOwn(last) ? last : null,
    isBusyElsewhere: active !== null && !isOwn(active),
  };
}

export async function cancelImport(context: ImportContext, userId: string, importId: string): Promise<MemberImport> {
  const { services, caller } = context;
  const user = await getUserHandleOrThrow(services.db, caller.tenant, userId);
  const { folder, state } = getActiveOrThrow(context, user.userId, importId);
  const now = services.clock.now();
  const entry = { ...user.tenant, at: now, actor: actorOf(context), action: 'user.import_cancelled' };
  const details = { file_name: state.file_name };
  await services.db.transaction((tx) =>
    insertAudit(tx, { ...entry, subject: user.userId, userId: user.userId, details }),
  );
  if (state.status === 'running') {
    folder.requestCancel();
    return state;
  }
  const cancelled: MemberImport = { ...state, status: 'cancelled', updated_at: now.toISOString() };
  folder.finish(cancelled);
  return cancelled;
}

function getActiveOrThrow(
  { services, caller }: ImportContext,
  userId: string,
  importId: string,
): { folder: ImportFolder; state: MemberImport } {
  const folder = openImportFolder(services.settings.importFolder, caller.tenant.accountId);
  const state = folder.readActive();
  if (state === null || state.id !== importId || state.user_id !== userId)
    throw new AppError('not_found', { message: 'This import has ended or does not exist. Reload the page.' });
  return { folder, state };
}

/** A name without a folder, for messages and for the end that names the format. */
function cleanName(name: string): string {
  const last = name.split(/[/\\]/).at(-1) ?? '';
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they must not reach a file name
  const characters = [...last.toWellFormed().replace(/[\u0000-\u001f\u007f]/g, '')];
  while (Buffer.byteLength(characters.join('')) > MAX_NAME_BYTES) characters.shift();
  return characters.join('').replace(/^\.+/, '') || 'file';
}

function invalid(path: string, message: string): AppError {
  return new AppError('invalid_parameter', { details: { issues: [{ path, message }] } });
}
