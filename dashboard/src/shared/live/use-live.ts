// Live changes, on one stream per visible tab, for every page. A hidden tab closes its stream and continues after
// the last message when it is seen again.
import { useEffect, useRef, useSyncExternalStore } from 'react';
import type { Replies } from '../../api/types.gen.ts';
import type { Environment } from '../routing/parents.ts';
import { useEnvironment } from '../routing/use-environment.ts';
import { followStream } from './follow-stream.ts';
import type { StreamMessage } from './parse-messages.ts';

type LiveListener = {
  onEvent?(event: Replies['listLatestEvents']['data'][number]): void;
  onRequest?(request: Replies['listRequests']['data'][number]): void;
  /** Webhooks with a new attempt or another state. */
  onDeliveries?(webhookIds: readonly string[]): void;
};

type Stream = {
  readonly listeners: Set<LiveListener>;
  isConnected: boolean;
  lastId: string | null;
  close: (() => void) | null;
};

const TOPICS = 'events,requests,deliveries';
const streams = new Map<Environment, Stream>();
const watchers = new Set<() => void>();

/** Whether the stream is open. The newest functions are called, so callers need not memoize them. */
export function useLive(listener: LiveListener): boolean {
  const environment = useEnvironment();
  const latest = useRef(listener);
  latest.current = listener;
  useEffect(
    () =>
      listen(environment, {
        onEvent: (event) => latest.current.onEvent?.(event),
        onRequest: (request) => latest.current.onRequest?.(request),
        onDeliveries: (webhookIds) => latest.current.onDeliveries?.(webhookIds),
      }),
    [environment],
  );
  return useSyncExternalStore(watch, () => streams.get(environment)?.isConnected ?? false);
}

function watch(watcher: () => void): () => void {
  watchers.add(watcher);
  return () => watchers.delete(watcher);
}

function listen(environment: Environment, listener: LiveListener): () => void {
  const stream = streams.get(environment) ?? { listeners: new Set(), isConnected: false, lastId: null, close: null };
  streams.set(environment, stream);
  stream.listeners.add(listener);
  const follow = () => {
    if (document.hidden) stop(stream);
    else stream.close ??= start(environment, stream);
  };
  follow();
  document.addEventListener('visibilitychange', follow);
  return () => {
    document.removeEventListener('visibilitychange', follow);
    stream.listeners.delete(listener);
    if (stream.listeners.size > 0) return;
    stop(stream);
    streams.delete(environment);
  };
}

function start(environment: Environment, stream: Stream): () => void {
  return followStream({
    path: `/${environment}/live?topics=${TOPICS}`,
    lastId: stream.lastId,
    onConnected: (isConnected) => setConnected(stream, isConnected),
    onMessage(message) {
      stream.lastId = message.id ?? stream.lastId;
      for (const listener of stream.listeners) deliver(message, listener);
    },
  });
}

function stop(stream: Stream): void {
  stream.close?.();
  stream.close = null;
  setConnected(stream, false);
}

function setConnected(stream: Stream, isConnected: boolean): void {
  stream.isConnected = isConnected;
  for (const watcher of watchers) watcher();
}

function deliver({ name, data }: StreamMessage, listener: LiveListener): void {
  if (name === 'event') listener.onEvent?.(data as Parameters<NonNullable<LiveListener['onEvent']>>[0]);
  if (name === 'request') listener.onRequest?.(data as Parameters<NonNullable<LiveListener['onRequest']>>[0]);
  if (name === 'deliveries') listener.onDeliveries?.((data as { webhook_ids: readonly string[] }).webhook_ids);
}
