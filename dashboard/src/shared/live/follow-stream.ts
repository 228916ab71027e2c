// Follows a stream of the service until it is closed. It connects again after a loss and continues after the last message.
import { api } from '../../api/client.ts';
import { parseMessages, type StreamMessage } from './parse-messages.ts';

const RECONNECT_MS = 2_000;
const MAX_RECONNECT_MS = 30_000;

type Options = {
  readonly path: string;
  /** Of the last message that was seen before; null begins with now. */
  readonly lastId: string | null;
  onMessage(message: StreamMessage): void;
  onConnected(isConnected: boolean): void;
};

/** Returns a function that closes it. */
export function followStream(options: Options): () => void {
  const closed = new AbortController();
  void follow(options, closed.signal);
  return () => closed.abort();
}

async function follow({ path, lastId: first, onMessage, onConnected }: Options, signal: AbortSignal): Promise<void> {
  let lastId = first;
  let delayMs = RECONNECT_MS;
  while (!signal.aborted) {
    try {
      const body = await api.stream(path, { signal, lastId });
      delayMs = RECONNECT_MS;
      onConnected(true);
      await readBody(body, (message) => {
        lastId = message.id ?? lastId;
        onMessage(message);
      });
    } catch {
      delayMs = Math.min(2 * delayMs, MAX_RECONNECT_MS);
    }
    if (signal.aborted) return;
    onConnected(false);
    await wait(delayMs, signal);
  }
}

async function readBody(body: ReadableStream<Uint8Array>, onMessage: Options['onMessage']): Promise<void> {
  const reader = body.pipeThrough(new TextDecoderStream() as TransformStream<Uint8Array, string>).getReader();
  let text = '';
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    const { messages, rest } = parseMessages(text + value);
    text = rest;
    for (const message of messages) onMessage(message);
  }
}

function wait(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      resolve();
    });
  });
}
