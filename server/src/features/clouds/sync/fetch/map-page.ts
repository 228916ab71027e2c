// Maps a provider page and the responses of its follow-ups to records. Replays of raw pages use the same code.
import type { CloudProvider, FetchWindow, FollowUp, PushedKind } from '../../../../providers/contract.ts';
import { parseJsonBytes } from '../../../../providers/parse-json.ts';
import type { ProviderRecords } from '../../../../providers/provider-records.ts';
import { findProvider } from '../../../../providers/registry.ts';
import type { Batch, Deletion } from '../../../pipeline/ingest/index.ts';
import type { RawPayload } from '../../../store/raw-payloads/index.ts';
import { makeBatch } from '../commit/make-batch.ts';

/** One response. The first is the page; its follow-ups come after it. */
export type PagePart = {
  readonly resource: string;
  /** Null: there is no response. */
  readonly bytes: Uint8Array | null;
  readonly body: unknown;
  /** Index of the follow-up; null for the page itself. */
  readonly followUp: number | null;
};

/** What the mapping needs besides the responses; stored with the raw page. */
type PageContext = {
  readonly provider: string;
  readonly window: FetchWindow | null;
  readonly zone: string;
  readonly parts: readonly {
    readonly resource: string;
    readonly size: number | null;
    readonly followUp: number | null;
  }[];
  readonly deletions: readonly Deletion[];
};

/** Throws ProviderAnswerError. */
export function mapParts(
  provider: CloudProvider,
  parts: readonly PagePart[],
  { window, zone }: Pick<PageContext, 'window' | 'zone'>,
): ProviderRecords[] {
  const [page] = parts;
  const followUps = page === undefined ? [] : listFollowUps(provider, page);
  return parts.map(({ resource, body, followUp }): ProviderRecords => {
    const calledBy = followUp === null ? undefined : followUps[followUp]?.calledBy;
    return getMapping(provider, resource).map(body, { zone, window, ...(calledBy !== undefined && { calledBy }) });
  });
}

export function describePage(
  provider: CloudProvider,
  parts: readonly Omit<PagePart, 'body'>[],
  { window, zone, deletions }: Pick<PageContext, 'window' | 'zone' | 'deletions'>,
): PageContext {
  return {
    provider: provider.id,
    window,
    zone,
    parts: parts.map(({ resource, bytes, followUp }) => ({ resource, size: bytes?.length ?? null, followUp })),
    deletions,
  };
}

/** Used by replays. */
export function mapProviderPage({ context, receivedAt }: RawPayload, bytes: Buffer): Batch {
  const { provider: id, parts: described, deletions, ...rest } = context as PageContext;
  const provider = findProvider(id);
  if (provider === null) throw new Error('unknown provider');
  let at = 0;
  const parts = described.map(({ resource, size, followUp }): PagePart => {
    const part = size === null ? null : bytes.subarray(at, at + size);
    at += size ?? 0;
    return { resource, followUp, bytes: part, body: part === null ? null : parseJsonBytes(part) };
  });
  return makeBatch(mapParts(provider, parts, rest), { now: receivedAt, deletions }).batch;
}

/** Only the list is needed and no request is sent, so the account may be empty. */
function listFollowUps(provider: CloudProvider, { resource, body }: PagePart): readonly FollowUp[] {
  const found = provider.resources.find(({ name }) => name === resource);
  return found?.followUps?.(body, { providerUserId: '', accessToken: '', refreshToken: null }) ?? [];
}

function getMapping({ id, resources, pushed = [] }: CloudProvider, name: string): PushedKind {
  const found = [...resources, ...pushed].find((kind) => kind.name === name);
  if (found === undefined) throw new Error(`${id} has no resource ${name}`);
  return found;
}
