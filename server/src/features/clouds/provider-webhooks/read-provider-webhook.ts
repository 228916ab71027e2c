// Parses the body of a provider webhook within limits. A large body is parsed in a thread, because anybody who knows an unsigned
// URL could otherwise stall the service.
import { deserialize, serialize } from 'node:v8';
import { createJsonMeter, type JsonLimits, UPLOAD_LIMITS } from '../../../platform/http/json-limits.ts';
import type { ThreadOutput } from '../../../platform/threads/thread.ts';
import type { ThreadPool } from '../../../platform/threads/thread-pool.ts';
import type { WebhookItem } from '../../../providers/contract.ts';
import { ProviderAnswerError } from '../../../providers/contract.ts';
import { findProvider } from '../../../providers/registry.ts';

/** Parsing this many takes the event loop a millisecond or two, and almost every webhook is smaller. */
const SMALL_BYTES = 65_536;
/** A chunk of this size is deserialized within a millisecond or two. */
const PIECE_WEBHOOKS = 500;
const PIECE_BYTES = 1_048_576;

/**
 * A Garmin push holds summaries of many users, and its heart rates of a day are one object with a key every 15 s (5,760).
 * `values`: 32 MB of such pairs are 3 million, which fit into the memory of a thread when parsed.
 */
const WEBHOOK_LIMITS: JsonLimits = { ...UPLOAD_LIMITS, values: 3_145_728, keysPerObject: 10_000 };

type Webhook = { readonly provider: string; readonly appId: string; readonly body: Uint8Array };
type Input = { readonly provider: string; readonly bytes: Uint8Array<ArrayBuffer> };
type Output =
  | { readonly pieces: readonly Uint8Array<ArrayBuffer>[] }
  /** The message of a ProviderAnswerError, which cannot be passed between threads. */
  | { readonly unreadable: string };

/** Throws ProviderAnswerError if the body cannot be read, AppError if it exceeds a limit. */
export async function readProviderWebhook(
  threads: ThreadPool,
  { provider, appId, body }: Webhook,
): Promise<Iterable<WebhookItem>> {
  if (body.length <= SMALL_BYTES) return readMetered(provider, body);
  const bytes = new Uint8Array(body); // a buffer of the runtime's pool cannot be transferred
  const output = await threads.run<Output>({
    module: new URL(import.meta.url),
    input: { provider, bytes } satisfies Input,
    transfer: [bytes.buffer],
    account: `provider webhooks of ${appId}`,
  });
  if ('unreadable' in output) throw new ProviderAnswerError(output.unreadable);
  return output.pieces.values().flatMap((piece) => deserialize(piece) as WebhookItem[]);
}

/** Runs in the thread. */
export default function readForCaller({ provider, bytes }: Input): ThreadOutput<Output> {
  try {
    const pieces = splitWebhooks(readMetered(provider, bytes)).map((piece) => new Uint8Array(serialize(piece)));
    return { output: { pieces }, transfer: pieces.map(({ buffer }) => buffer) };
  } catch (error) {
    if (!(error instanceof ProviderAnswerError)) throw error;
    return { output: { unreadable: error.message }, transfer: [] };
  }
}

function readMetered(provider: string, body: Uint8Array): readonly WebhookItem[] {
  createJsonMeter(WEBHOOK_LIMITS).add(body);
  return findProvider(provider)?.webhook?.readWebhookItems(body) ?? [];
}

/** Pushed data is serialized here, because the event loop stores it as JSON text. */
function splitWebhooks(webhooks: readonly WebhookItem[]): WebhookItem[][] {
  const pieces: WebhookItem[][] = [];
  let piece: WebhookItem[] = [];
  let size = 0;
  for (const webhook of webhooks) {
    const text = webhook.kind === 'pushed' ? new TextEncoder().encode(JSON.stringify(webhook.body)) : null;
    if (piece.length === 0 || piece.length >= PIECE_WEBHOOKS || size >= PIECE_BYTES) {
      piece = [];
      size = 0;
      pieces.push(piece);
    }
    piece.push(webhook.kind === 'pushed' ? { ...webhook, body: text } : webhook);
    size += text?.length ?? 0;
  }
  return pieces;
}
