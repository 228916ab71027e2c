// Accidents on demand. Each stands until it has happened so many times, or until it is taken back.

import {
  FAULT_KINDS,
  FAULTY_RECORDS,
  FAULTY_REQUESTS,
  type Fault,
  type FaultKind,
  type StandingFault,
} from '../domain/sandbox/simulated-faults.ts';
import { type LocalDate, parseLocalDate } from '../domain/time/calendar.ts';

export type FaultStore = {
  add(fault: Fault, today: LocalDate): StandingFault;
  list(): StandingFault[];
  /** False: there is none. */
  remove(id: number): boolean;
  clear(): void;
  /** Those of an account that stand. */
  standing(provider: string, account: string): StandingFault[];
  /** It happens once more: counted. Null: it does not. */
  take(kind: FaultKind, at: FaultPosition): StandingFault | null;
};

export type FaultPosition = { readonly provider: string; readonly account: string | null; readonly on?: Fault['on'] };

export function createFaultStore(): FaultStore {
  const faults = new Map<number, { fault: StandingFault; left: number }>();
  let last = 0;
  const list = () =>
    [...faults.values()].map(({ fault, left }) => ({ ...fault, ...(left < Infinity && { times: left }) }));
  return {
    add(fault, today) {
      last += 1;
      const standing = { ...fault, id: last, date: fault.date ?? today };
      faults.set(last, { fault: standing, left: fault.times ?? Number.POSITIVE_INFINITY });
      return standing;
    },
    list,
    remove: (id) => faults.delete(id),
    clear: () => faults.clear(),
    standing: (provider, account) =>
      list().filter((fault) => fault.provider === provider && (fault.account ?? account) === account),
    take(kind, position) {
      for (const [id, entry] of faults) {
        if (entry.fault.kind !== kind || !isAt(entry.fault, position)) continue;
        entry.left -= 1;
        if (entry.left <= 0) faults.delete(id);
        return entry.fault;
      }
      return null;
    },
  };
}

function isAt({ provider, account, on = 'data' }: Fault, position: FaultPosition): boolean {
  if (provider !== position.provider || (account !== undefined && account !== position.account)) return false;
  return position.on === undefined || position.on === on;
}

const FIELDS = ['kind', 'provider', 'account', 'times', 'on', 'delay_ms', 'record', 'date'];

/** From outside. A text says what is wrong. */
export function parseFault(
  body: Readonly<Record<string, unknown>> | null,
  providers: readonly string[],
): Fault | string {
  if (body === null) return 'the body has to be a JSON object';
  const unknown = Object.keys(body).find((name) => !FIELDS.includes(name));
  if (unknown !== undefined) return `there is no field ${unknown}`;
  const oneOf = (name: string, list: readonly string[], isNeeded: boolean) =>
    (body[name] === undefined && !isNeeded) || list.includes(String(body[name])) ? null : `${name}: ${list.join(', ')}`;
  const isCount = (name: string) =>
    body[name] === undefined || (Number.isSafeInteger(body[name]) && Number(body[name]) > 0)
      ? null
      : `${name}: above 0`;
  const wrong =
    oneOf('kind', FAULT_KINDS, true) ??
    oneOf('provider', providers, true) ??
    oneOf('on', FAULTY_REQUESTS, false) ??
    oneOf('record', FAULTY_RECORDS, false) ??
    isCount('times') ??
    isCount('delay_ms');
  if (wrong !== null) return wrong;
  if (body.account !== undefined && typeof body.account !== 'string') return 'account: a text';
  if (body.date !== undefined && parseLocalDate(String(body.date)) === null) return 'date: YYYY-MM-DD';
  return body as Fault;
}
