// A block of calls, as the database stores it. Calls of one program to one endpoint are a group, which has their common fields
// once and a list for each of the others; paths, credentials and users that repeat are stored once and named by their index.
import { roundTo } from '../../../domain/round-to.ts';
import type { LoggedRequest } from './logged-request.ts';

/** What the calls of a group have in common. */
type Common = Pick<LoggedRequest, 'method' | 'route' | 'status' | 'error' | 'credential_kind' | 'agent'>;

export type CallGroup = Common & {
  readonly paths: readonly string[];
  readonly credentials: readonly string[];
  /** The position of each call after the first position of the block. */
  readonly place: readonly number[];
  /** With commas between them: PostgreSQL parses one text faster than a thousand. */
  readonly ids: string;
  readonly at: readonly number[];
  readonly ms: readonly number[];
  readonly bytes: readonly (number | null)[];
  readonly path: readonly number[];
  readonly credential: readonly number[];
  readonly user: readonly (number | null)[];
};

export type BlockCall = Omit<LoggedRequest, 'account_id' | 'environment'>;

/** The columns of request_blocks that follow from the calls. */
export type RequestBlock = {
  readonly size: number;
  readonly first_at: number;
  readonly last_at: number;
  readonly failures: number;
  readonly max_ms: number;
  readonly routes: readonly string[];
  readonly users: readonly (string | null)[];
  readonly id_hashes: readonly number[];
  readonly calls: readonly CallGroup[];
};

export type BlockBuilder = {
  readonly size: number;
  add(call: BlockCall, place: number): void;
  build(): RequestBlock;
};

export const FIRST_FAILURE = 400;

export function startBlock(): BlockBuilder {
  const groups = new Map<string, ReturnType<typeof startGroup>>();
  const users = startIndex();
  const hashes: number[] = [];
  let [firstAt, lastAt, failures, maxMs] = [Number.POSITIVE_INFINITY, 0, 0, 0];
  return {
    get size() {
      return hashes.length;
    },
    add(call, place) {
      const key = `${call.route}\n${call.method}\n${call.status}\n${call.error}\n${call.agent}\n${call.credential_kind}`;
      const group = groups.getOrInsertComputed(key, () => startGroup(call));
      group.add(call, place, call.user_id === null ? null : users.indexOf(call.user_id));
      hashes.push(hashId(call.id));
      if (call.at < firstAt) firstAt = call.at;
      if (call.at > lastAt) lastAt = call.at;
      maxMs = Math.max(maxMs, roundMs(call.ms));
      if (call.status >= FIRST_FAILURE) failures += 1;
    },
    build() {
      const calls = [...groups.values()].map((group) => group.build());
      return {
        size: hashes.length,
        first_at: firstAt,
        last_at: lastAt,
        failures,
        max_ms: maxMs,
        routes: [...new Set(calls.map(({ route }) => route))],
        users: users.values,
        id_hashes: hashes,
        calls,
      };
    },
  };
}

function startGroup({ method, route, status, error, credential_kind, agent }: Common) {
  const common = { method, route, status, error, credential_kind, agent };
  const [paths, credentials] = [startIndex(), startIndex()];
  const ids: string[] = [];
  const lists = {
    place: [] as number[],
    at: [] as number[],
    ms: [] as number[],
    bytes: [] as (number | null)[],
    path: [] as number[],
    credential: [] as number[],
    user: [] as (number | null)[],
  };
  return {
    add(call: BlockCall, place: number, user: number | null): void {
      ids.push(call.id);
      lists.place.push(place);
      lists.at.push(call.at);
      lists.ms.push(roundMs(call.ms));
      lists.bytes.push(call.bytes);
      lists.path.push(paths.indexOf(call.path));
      lists.credential.push(credentials.indexOf(call.credential_id));
      lists.user.push(user);
    },
    build(): CallGroup {
      return { ...common, paths: paths.values, credentials: credentials.values, ids: ids.join(), ...lists };
    },
  };
}

/** Lists show one decimal. */
function roundMs(ms: number): number {
  return roundTo(ms, 2);
}

/** Numbers texts in the order of their first use. */
function startIndex() {
  const values: string[] = [];
  const indexes = new Map<string, number>();
  return {
    values,
    indexOf(value: string): number {
      let index = indexes.get(value);
      if (index === undefined) {
        index = values.push(value) - 1;
        indexes.set(value, index);
      }
      return index;
    },
  };
}

/** The calls of a group in its order, each with its place. */
export function readCalls(users: RequestBlock['users'], group: CallGroup): (BlockCall & { readonly place: number })[] {
  const { method, route, status, error, credential_kind, agent } = group;
  return group.ids.split(',').map((id, index) => {
    const user = group.user[index] ?? null;
    return {
      id,
      place: group.place[index] ?? 0,
      at: group.at[index] ?? 0,
      method,
      route,
      path: group.paths[group.path[index] ?? 0] ?? '',
      status,
      error,
      ms: group.ms[index] ?? 0,
      bytes: group.bytes[index] ?? null,
      credential_kind,
      credential_id: group.credentials[group.credential[index] ?? 0] ?? '',
      user_id: user === null ? null : (users[user] ?? null),
      agent,
    };
  });
}

/** FNV-1a, as the signed number that PostgreSQL stores. */
export function hashId(id: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < id.length; index += 1) hash = Math.imul(hash ^ id.charCodeAt(index), 0x01000193);
  return hash | 0;
}
