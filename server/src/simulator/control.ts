// The simulator's control API for testing clients: faults, ticks on demand, and the connected accounts.
import type { LocalDate } from '../domain/time/calendar.ts';
import type { RawReply, RawRequest } from '../platform/http/raw-route.ts';
import { type FaultStore, parseFault } from './fault-store.ts';
import { replyJson } from './reply-json.ts';
import { readJsonObject } from './simulated-provider.ts';

type ControlContext = {
  readonly faults: FaultStore;
  readonly providers: readonly string[];
  readonly today: LocalDate;
  tick(): Promise<number>;
  listAccounts(): { readonly provider: string; readonly account: string }[];
};

/** `path` is the part after `/_control`. */
export async function answerControl(context: ControlContext, request: RawRequest, path: string): Promise<RawReply> {
  const { faults } = context;
  const [, id] = /^\/faults\/(\d+)$/.exec(path) ?? [];
  switch (`${request.method} ${id === undefined ? path : '/faults/{id}'}`) {
    case 'GET /faults':
      return replyJson(200, faults.list());
    case 'POST /faults': {
      const fault = parseFault(readJsonObject(request), context.providers);
      return typeof fault === 'string'
        ? replyJson(400, { error: fault })
        : replyJson(201, faults.add(fault, context.today));
    }
    case 'DELETE /faults':
      faults.clear();
      return { status: 204 };
    case 'DELETE /faults/{id}':
      return faults.remove(Number(id)) ? { status: 204 } : replyJson(404, { error: 'Fault not found.' });
    case 'POST /tick':
      return replyJson(200, { sent: await context.tick() });
    case 'GET /accounts':
      return replyJson(200, context.listAccounts());
    default:
      return replyJson(404, { error: 'Unknown control path. Use /faults, /tick or /accounts.' });
  }
}
