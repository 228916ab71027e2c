// Removes positions from responses of accounts that do not keep routes: before they are mapped and kept as raw data, before pushed data waits
// in a task, and later from raw pages of an account that has stopped keeping routes.
import type { CloudProvider, PushedKind } from '../../../../providers/contract.ts';
import { parseJsonBytes } from '../../../../providers/parse-json.ts';
import { findProvider } from '../../../../providers/registry.ts';
import type { RawPayload } from '../../../store/raw-payloads/index.ts';
import { type PagePart, type RawPageContext, readParts } from './map-page.ts';

/** The part keeps its place, because the mapping of a follow-up without a response must still be called. */
export function dropPositions(provider: CloudProvider, parts: readonly PagePart[]): readonly PagePart[] {
  return parts.map((part) => {
    const { isFile = false, ...rest } = part;
    const without = findStripper(provider, part.resource);
    if (part.body === null || (without === undefined && !isFile)) return part;
    const body = without?.(part.body) ?? null;
    return { ...rest, body, bytes: body === null ? null : Buffer.from(JSON.stringify(body)) };
  });
}

/** `body` is JSON text already if a thread parsed it. */
export function dropPushedPositions(provider: CloudProvider, resource: string, body: unknown): unknown {
  const without = findStripper(provider, resource);
  if (without === undefined) return body;
  return without(body instanceof Uint8Array ? parseJsonBytes(body) : body) ?? null;
}

function findStripper({ resources, pushed = [] }: CloudProvider, resource: string): PushedKind['withoutPositions'] {
  return [...resources, ...pushed].find(({ name }) => name === resource)?.withoutPositions;
}

type Page = { readonly context: RawPayload['context']; readonly bytes: Buffer };

/** A raw page without positions; a later replay maps it as it is. */
export function stripPage({ context, bytes }: Page): Page {
  const page = context as RawPageContext;
  const provider = findProvider(page.provider);
  if (provider === null) return { context, bytes: Buffer.alloc(0) };
  const parts = dropPositions(provider, readParts(page.parts, bytes));
  const described = parts.map(({ resource, bytes, isFile, followUp }) => ({
    resource,
    size: bytes?.length ?? null,
    ...(isFile && { isFile }),
    followUp,
  }));
  return {
    context: { ...page, parts: described },
    bytes: Buffer.concat(parts.flatMap((part) => part.bytes ?? [])),
  };
}
