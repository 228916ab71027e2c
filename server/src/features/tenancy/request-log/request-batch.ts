// Calls that wait to be written, in groups: calls of one program to one endpoint have most columns in common, which the database
// then parses once. Columns of numbers and short texts are also less memory to keep than an object per call.
import type { LoggedRequest } from './logged-request.ts';

type Common = Omit<LoggedRequest, keyof Call>;
type Call = Pick<LoggedRequest, 'id' | 'at' | 'path' | 'ms' | 'bytes' | 'credential_id' | 'user_id'>;

/** What the calls have in common, a column for each of the others, and the place of each call in the batch. */
type RequestGroup = Common & { readonly place: number[] } & { readonly [Name in keyof Call]: Call[Name][] };

export type RequestBatch = {
  size: number;
  readonly groups: Map<string, RequestGroup>;
};

export function startBatch(): RequestBatch {
  return { size: 0, groups: new Map() };
}

export function addToBatch(batch: RequestBatch, call: LoggedRequest): void {
  const group = findGroup(batch, call);
  group.place.push(batch.size);
  group.id.push(call.id);
  group.at.push(call.at);
  group.path.push(call.path);
  group.ms.push(call.ms);
  group.bytes.push(call.bytes);
  group.credential_id.push(call.credential_id);
  group.user_id.push(call.user_id);
  batch.size += 1;
}

function findGroup({ groups }: RequestBatch, call: LoggedRequest): RequestGroup {
  const key = `${call.route}\n${call.method}\n${call.status}\n${call.error}\n${call.agent}\n${call.account_id}\n${call.environment}\n${call.credential_kind}`;
  return groups.getOrInsertComputed(key, () => startGroup(call));
}

function startGroup(call: LoggedRequest): RequestGroup {
  return { ...call, place: [], id: [], at: [], path: [], ms: [], bytes: [], credential_id: [], user_id: [] };
}
