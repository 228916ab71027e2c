// Faults on demand. Each stays until it has occurred a given number of times, or until it is cleared.

import {
  type ActiveFault,
  FAULT_KINDS,
  FAULTY_RECORDS,
  FAULTY_REQUESTS,
  type Fault,
  type FaultKind,
} from '../domain/sandbox/simulated-faults.ts';
import { type LocalDate, parseLocalDate } from '../domain/time/calendar.ts';

export type FaultStore = {
  add(fault: Fault, today: LocalDate): ActiveFault;
  list(): ActiveFault[];
  /** False if there is no such fault. */
  remove(id: number): boolean;
  clear(): void;
  /** The active faults of an account. */
  active(provider: string, account: string): ActiveFault[];
  /** Counts one more occurrence. Null: the fault does not occur. */
  take(kind: FaultKind, at: FaultTarget): ActiveFault | null;
};

export type FaultTarget = { readonly provider: string; readonly account: string | null; readonly on?: Fault['on'] };

export function createFaultStore(): FaultStore {
  const faults = new Map<number, { fault: ActiveFault; left: number }>();
  let last = 0;
  const list = () =>
    [...faults.values()].map(({ fault, left }) => ({ ...fault, ...(left < Infinity && { times: left }) }));
  return {
    add(fault, today) {
      last += 1;
      const active = { ...fault, id: last, date: fault.date ?? today };
      faults.set(last, { fault: active, left: fault.times ?? Number.POSITIVE_INFINITY });
      return active;
    },
    list,
    remove: (id) => faults.delete(id),
    clear: () => faults.clear(),
    active: (provider, account) =>
      list().filter((fault) => fault.provider === provider && (fault.account ?? account) === account),
    take(kind, target) {
      for (const [id, entry] of faults) {
        if (entry.fault.kind !== kind || !matches(entry.fault, target)) continue;
        entry.left -= 1;
        if (entry.left <= 0) faults.delete(id);
        return entry.fault;
      }
      return null;
    },
  };
}

function matches({ provider, account, on = 'data' }: Fault, target: FaultTarget): boolean {
  if (provider !== target.provider || (account !== undefined && account !== target.account)) return false;
  return target.on === undefined || target.on === on;
}

const FIELDS = ['kind', 'provider', 'account', 'times', 'on', 'delay_ms', 'record', 'date'];

/** Parses untrusted input. A returned text is the validation error. */
export function parseFault(
  body: Readonly<Record<string, unknown>> | null,
  providers: readonly string[],
): Fault | string {
  if (body === null) return 'The body must be a JSON object.';
  const unknown = Object.keys(body).find((name) => !FIELDS.includes(name));
  if (unknown !== undefined) return `Unknown field: ${unknown}.`;
  const oneOf = (name: string, list: readonly string[], isNeeded: boolean) =>
    (body[name] === undefined && !isNeeded) || list.includes(String(body[name]))
      ? null
      : `${name} must be one of: ${list.join(', ')}.`;
  const isCount = (name: string) =>
    body[name] === undefined || (Number.isSafeInteger(body[name]) && Number(body[name]) > 0)
      ? null
      : `${name} must be a whole number above 0.`;
  const wrong =
    oneOf('kind', FAULT_KINDS, true) ??
    oneOf('provider', providers, true) ??
    oneOf('on', FAULTY_REQUESTS, false) ??
    oneOf('record', FAULTY_RECORDS, false) ??
    isCount('times') ??
    isCount('delay_ms');
  if (wrong !== null) return wrong;
  if (body.account !== undefined && typeof body.account !== 'string') return 'account must be a string.';
  if (body.date !== undefined && parseLocalDate(String(body.date)) === null)
    return 'date must be a date as YYYY-MM-DD.';
  return body as Fault;
}
