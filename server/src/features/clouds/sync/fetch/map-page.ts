// Maps a provider page and the responses of its follow-ups to records.
import type { CloudProvider, FetchWindow, FollowUp, PushedKind } from '../../../../providers/contract.ts';
import { parseJsonBytes } from '../../../../providers/parse-json.ts';
import type { ProviderRecords } from '../../../../providers/provider-records.ts';
import type { Deletion } from '../../../pipeline/ingest/index.ts';

/** One response. The first is the page; its follow-ups come after it. */
export type PagePart = {
  readonly resource: string;
  /** Null: there is no response. */
  readonly bytes: Uint8Array | null;
  readonly body: unknown;
  /** Not JSON: `body` is a ReadFile. */
  readonly isFile?: true;
  /** Index of the follow-up; null for the page itself. */
  readonly followUp: number | null;
};

/** Without the parsed body, which takes ten times the memory. */
export type StoredPart = Omit<PagePart, 'body'>;

/** What the mapping needs besides the responses; stored with the raw page. */
export type RawPageContext = {
  readonly provider: string;
  readonly window: FetchWindow | null;
  readonly zone: string;
  /** The account kept routes when the page was fetched. Absent: it did not. */
  readonly keepsRoutes?: boolean;
  readonly parts: readonly {
    readonly resource: string;
    readonly size: number | null;
    /** Not JSON. Absent: JSON. */
    readonly isFile?: true;
    readonly followUp: number | null;
  }[];
  readonly deletions: readonly Deletion[];
};

/** Throws ProviderAnswerError. */
export function mapParts(
  provider: CloudProvider,
  parts: readonly PagePart[],
  { window, zone, keepsRoutes = false }: Pick<RawPageContext, 'keepsRoutes' | 'window' | 'zone'>,
  enabledParts: ReadonlySet<string>,
): ProviderRecords[] {
  const [page] = parts;
  const followUps = page === undefined ? [] : listFollowUps(provider, page, keepsRoutes);
  return parts.map(({ resource, body, followUp }): ProviderRecords => {
    const calledBy = followUp === null ? undefined : findFollowUp(followUps, followUp, resource)?.calledBy;
    const context = { zone, window, keepsRoutes, parts: enabledParts, ...(calledBy !== undefined && { calledBy }) };
    const records = getMapping(provider, resource).map(body, context);
    return followUp === null ? withoutListed(provider, resource, body, records) : records;
  });
}

/** A page that an earlier version stored can have more follow-ups than the connector lists now. */
function findFollowUp(followUps: readonly FollowUp[], index: number, resource: string): FollowUp | undefined {
  return followUps[index] ?? followUps.findLast((followUp) => followUp.resource === resource);
}

/** Workouts that are fetched one by one are complete only there. */
function withoutListed(
  { resources }: CloudProvider,
  resource: string,
  body: unknown,
  records: ProviderRecords,
): ProviderRecords {
  const listed = resources.find(({ name }) => name === resource)?.listRecords?.(body) ?? [];
  if (listed.length === 0) return records;
  const ids = new Set(listed.map(({ id }) => id));
  return { ...records, workouts: records.workouts.filter(({ key }) => !ids.has(key)) };
}

export function describePage(
  provider: CloudProvider,
  parts: readonly StoredPart[],
  {
    window,
    zone,
    keepsRoutes = false,
    deletions,
  }: Pick<RawPageContext, 'keepsRoutes' | 'window' | 'zone' | 'deletions'>,
): RawPageContext {
  return {
    provider: provider.id,
    window,
    zone,
    ...(keepsRoutes && { keepsRoutes }),
    parts: parts.map(({ resource, bytes, isFile, followUp }) => ({
      resource,
      size: bytes?.length ?? null,
      ...(isFile && { isFile }),
      followUp,
    })),
    deletions,
  };
}

/** The responses of a raw page; files are not read. */
export function readParts(described: RawPageContext['parts'], bytes: Buffer): PagePart[] {
  let at = 0;
  return described.map(({ resource, size, isFile, followUp }): PagePart => {
    const part = size === null ? null : bytes.subarray(at, at + size);
    at += size ?? 0;
    const body = part === null || isFile ? part : parseJsonBytes(part);
    return { resource, followUp, bytes: part, body, ...(isFile && { isFile }) };
  });
}

/** Only the list is needed and no request is sent, so the account may be empty. */
function listFollowUps(
  provider: CloudProvider,
  { resource, body }: PagePart,
  keepsRoutes: boolean,
): readonly FollowUp[] {
  const found = provider.resources.find(({ name }) => name === resource);
  return found?.followUps?.(body, { providerUserId: '', accessToken: '', refreshToken: null, keepsRoutes }) ?? [];
}

function getMapping({ id, resources, pushed = [] }: CloudProvider, name: string): PushedKind {
  const found = [...resources, ...pushed].find((kind) => kind.name === name);
  if (found === undefined) throw new Error(`${id} has no resource ${name}`);
  return found;
}
