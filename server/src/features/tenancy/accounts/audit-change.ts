// Writes an audit entry for a call that changes something: one place for the calls of API keys and members that write none by
// themselves. Those of members are in the audit log and the audit trail, those of API keys in the trail.
import type { UserId } from '../../../domain/tenancy.ts';
import type { Database, Transaction } from '../../../platform/db/database.ts';
import type { AccountCaller } from '../../../platform/http/caller.ts';
import {
  type Dialect,
  type Dialects,
  dialectOf,
  type RequestContext,
  type Route,
} from '../../../platform/http/route.ts';
import { actorOf } from './actor.ts';
import { LOG_AND_TRAIL, TRAIL_ONLY, type WrittenEntry } from './audit-store.ts';

type Sent = { readonly params: Readonly<Record<string, string>>; readonly body: unknown; readonly input: unknown };
type Subject = { readonly subject: string; readonly userId: UserId | null };

/**
 * The entry commits with the first transaction of the call that writes, so that a crash loses neither. A created record has its id
 * only in the reply: it is added afterwards. A call without such a transaction gets its entry before its reply.
 */
export function auditChange(route: Route, action: string): Route {
  const { cost } = route;
  return {
    ...route,
    dialects: mapDialects(route.dialects, (one) => ({
      ...one,
      parse: (raw): Sent => ({ params: raw.params, body: raw.body, input: one.parse(raw) }),
    })),
    ...(typeof cost === 'function' && { cost: (context, sent) => cost(context, (sent as Sent).input) }),
    async handle(context, sent) {
      const { input, params, body } = sent as Sent;
      if (isDryRun(body)) return route.handle(context, input);
      const caller = context.caller as AccountCaller;
      const sink = caller.kind === 'member' ? LOG_AND_TRAIL : TRAIL_ONLY;
      const named = findSubject(params, body);
      const entry = {
        ...caller.tenant,
        at: context.services.clock.now(),
        actor: actorOf({ caller, requestId: context.requestId }),
        action,
        details: route.method === 'PATCH' ? { fields: Object.keys(body as object) } : {},
      };
      let written: WrittenEntry | null = null;
      const db = joinTransaction(context.services.db, {
        write: async (tx) => (written === null ? sink.insertOfWrite(tx, { ...entry, ...named }) : null),
        onCommitted: (one) => {
          written ??= one;
        },
      });
      const output = await route.handle({ ...context, services: { ...context.services, db } }, input);
      const subject = { ...named, ...findCreated(route, context, output) };
      const { db: plain } = context.services;
      if (written === null) await plain.transaction((tx) => sink.insert(tx, { ...entry, ...subject }));
      else if (subject.subject !== named.subject) await complete(context, written, { ...entry, ...subject });
      return output;
    },
  };
}

function joinTransaction(
  db: Database,
  entry: { write(tx: Transaction): Promise<WrittenEntry | null>; onCommitted(written: WrittenEntry): void },
): Database {
  return {
    ...db,
    async transaction(work) {
      const { result, written } = await db.transaction(async (tx) => ({
        result: await work(tx),
        written: await entry.write(tx),
      }));
      if (written !== null) entry.onCommitted(written);
      return result;
    },
  };
}

/** The change is made and has its entry, so the call does not fail any more. */
async function complete(
  { services, log }: Pick<RequestContext, 'log' | 'services'>,
  written: WrittenEntry,
  entry: Parameters<WrittenEntry['complete']>[1],
): Promise<void> {
  await services.db
    .transaction((tx) => written.complete(tx, entry))
    .catch((err: unknown) => log.warn({ err }, 'an audit entry does not name the created record'));
}

function isDryRun(body: unknown): boolean {
  return (body as { dry_run?: unknown } | undefined)?.dry_run === true;
}

function mapDialects(
  dialects: Dialects<unknown, unknown>,
  map: (one: Dialect<unknown, unknown>) => Dialect<unknown, unknown>,
): Dialects<unknown, unknown> {
  if ('both' in dialects) return { both: map(dialects.both) };
  return { ...dialects, 1: map(dialects[1]), 2: map(dialects[2]) };
}

/** The last record that the path names, and the user of the path or the body. */
function findSubject({ environment: _, ...params }: Readonly<Record<string, string>>, body: unknown): Subject {
  const userId = readId(params.user_id) ?? readId((body as { user_id?: unknown } | undefined)?.user_id);
  return { subject: Object.values(params).at(-1) ?? userId ?? '', userId: userId as UserId | null };
}

/** The record that a POST has created, if its reply has the id. */
function findCreated(route: Route, { form }: RequestContext, output: unknown): Partial<Subject> {
  if (route.method !== 'POST') return {};
  const { body } = dialectOf(route, form).present(output);
  const reply = body as { id?: unknown; data?: { id?: unknown } } | null;
  const id = readId(reply?.id) ?? readId(reply?.data?.id);
  if (id === null) return {};
  return route.path.endsWith('/users') ? { subject: id, userId: id as UserId } : { subject: id };
}

const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i;

function readId(value: unknown): string | null {
  return typeof value === 'string' && UUID.test(value) ? value.toLowerCase() : null;
}
