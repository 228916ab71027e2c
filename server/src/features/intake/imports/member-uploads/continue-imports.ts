// Continues imports whose process ended: after a crash or a restart at once, and after the end of another process of the same
// machine when its heartbeat has stopped. Also removes the files of erased users, because the worker that erases a user may be on
// another machine, and files that nobody works on.
import type { AccountId, Environment, Tenant, UserId } from '../../../../domain/tenancy.ts';
import { SECOND_MS } from '../../../../domain/time/durations.ts';
import { type BackgroundLoop, startLoop } from '../../../../platform/background-loop.ts';
import { openUser } from '../../../tenancy/user-core/index.ts';
import { listAccountsWithImports, openImportFolder, removeImportsOfUser, sweepFolders } from './import-folder.ts';
import type { MemberImport } from './member-import.ts';
import { type ImportServices, runMemberImport } from './run-member-import.ts';

/** Several heartbeats. */
const STALLED_MS = 30 * SECOND_MS;
const PAUSE_MS = 10 * SECOND_MS;
/** A file that ends the process would otherwise end it at every start. */
const MOST_ATTEMPTS = 3;
const GIVEN_UP = `The service ended ${MOST_ATTEMPTS} times while it imported this file. The records before that are stored. Import the file with tributary import.`;

/** `isAlone`: no other process can be at work on an import that was running before. */
export function startImportContinuation(
  services: ImportServices,
  { isAlone }: { readonly isAlone: boolean },
): BackgroundLoop {
  let isFirst = isAlone;
  return startLoop({
    name: 'continue imports',
    pauseMs: PAUSE_MS,
    log: services.log,
    async round() {
      const stalledMs = isFirst ? 0 : STALLED_MS;
      const { importFolder } = services.settings;
      for (const accountId of listAccountsWithImports(importFolder) as AccountId[]) {
        await removeImportsOfGone(services, accountId);
        await continueImport(services, accountId, stalledMs);
      }
      sweepFolders(importFolder, services.clock.now());
      isFirst = false;
      return false;
    },
  });
}

async function continueImport(services: ImportServices, accountId: AccountId, stalledMs: number): Promise<void> {
  const folder = openImportFolder(services.settings.importFolder, accountId);
  const state = folder.readActive();
  const options = folder.readOptions();
  if (state === null || state.status !== 'running' || options === null) return;
  const now = services.clock.now();
  if (now.getTime() - Date.parse(state.updated_at) < stalledMs) return;
  const user = await openUser(services.db, tenantOf(accountId, state), state.user_id as UserId);
  if (user === null) return; // the next round removes it
  const continued = { ...state, updated_at: now.toISOString() };
  if (folder.countAttempt(state) > MOST_ATTEMPTS) {
    services.log.warn(
      { import: state.id },
      'an import failed, because the service crashed repeatedly at the same place of its file',
    );
    folder.finish({ ...continued, status: 'failed', error: GIVEN_UP });
    return;
  }
  folder.save(continued);
  services.log.info({ import: state.id }, 'continuing an import');
  void runMemberImport(services, { folder, state: continued, user, options });
}

async function removeImportsOfGone({ db, settings }: ImportServices, accountId: AccountId): Promise<void> {
  const folder = openImportFolder(settings.importFolder, accountId);
  for (const state of [folder.readActive(), folder.readLast()]) {
    if (state === null) continue;
    const [tenant, userId] = [tenantOf(accountId, state), state.user_id as UserId];
    if ((await openUser(db, tenant, userId)) === null) removeImportsOfUser(settings.importFolder, { tenant, userId });
  }
}

function tenantOf(accountId: AccountId, { environment }: MemberImport): Tenant {
  return { accountId, environment: environment as Environment };
}
