// Continues imports whose process ended: after a crash or a restart at once, and after the end of another process of the same
// machine when its heartbeat has stopped.
import type { AccountId, Environment } from '../../../../domain/tenancy.ts';
import { SECOND_MS } from '../../../../domain/time/durations.ts';
import { type BackgroundLoop, startLoop } from '../../../../platform/background-loop.ts';
import { AppError } from '../../../../platform/errors.ts';
import { getUserHandleOrThrow } from '../../../tenancy/user-core/index.ts';
import { listAccountsWithImports, openFolder } from './import-folder.ts';
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
      for (const accountId of listAccountsWithImports(services.settings.importFolder))
        await continueImport(services, accountId as AccountId, stalledMs);
      isFirst = false;
      return false;
    },
  });
}

async function continueImport(services: ImportServices, accountId: AccountId, stalledMs: number): Promise<void> {
  const folder = openFolder(services.settings.importFolder, accountId);
  const state = folder.readActive();
  const options = folder.readOptions();
  if (state === null || state.status !== 'running' || options === null) return;
  const now = services.clock.now();
  if (now.getTime() - Date.parse(state.updated_at) < stalledMs) return;
  const tenant = { accountId, environment: state.environment as Environment };
  try {
    const user = await getUserHandleOrThrow(services.db, tenant, state.user_id);
    const continued = { ...state, updated_at: now.toISOString() };
    if (folder.countAttempt(state) > MOST_ATTEMPTS) {
      services.log.warn({ import: state.id }, 'giving up an import that the service did not survive');
      folder.finish({ ...continued, status: 'failed', error: GIVEN_UP });
      return;
    }
    folder.save(continued);
    services.log.info({ import: state.id }, 'continuing an import');
    void runMemberImport(services, { folder, state: continued, user, options });
  } catch (error) {
    if (!(error instanceof AppError && error.code === 'not_found')) throw error;
    folder.forgetActive();
  }
}
