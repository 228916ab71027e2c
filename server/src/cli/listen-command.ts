// tributary listen: forwards new events as signed webhooks to a program on this machine, without a tunnel.
import type { KeyObject } from 'node:crypto';
import { DELIVERY_TIMEOUT_MS, writeDeliveryRequest } from '../features/notify/webhooks/delivery-request.ts';
import { mintSigningSecret, parseSecret } from '../features/notify/webhooks/signature.ts';
import { systemClock } from '../platform/clock.ts';
import { ANYWHERE, createOutbound, type Outbound, type OutboundAnswer } from '../platform/outbound/index.ts';
import { VERSION } from '../version.ts';
import { describeTime, type FeedEvent } from './describe-event.ts';
import { parseEventTypes } from './event-types.ts';
import { type Feed, type FeedChoice, findFeed, followFeed } from './follow-feed.ts';
import { CommandError, createStopSignal, printJson, printNote, type Terminal } from './terminal.ts';

export type ListenOptions = Omit<FeedChoice, 'user'> & {
  forwardTo: string;
  events?: string;
  secret?: string;
  json?: boolean;
};

type Target = { readonly url: string; readonly keys: readonly KeyObject[] };
type Forwarding = {
  readonly outbound: Outbound;
  readonly target: Target;
  /** Null: all types. */
  readonly types: ReadonlySet<string> | null;
  readonly signal: AbortSignal;
};
type Delivery = { readonly event: FeedEvent; readonly answer: OutboundAnswer; readonly durationMs: number };

export async function listen(terminal: Terminal, options: ListenOptions): Promise<void> {
  const types = parseEventTypes(options.events);
  const secret = options.secret ?? mintSigningSecret();
  // The developer chooses the target, so private addresses are allowed.
  const outbound = createOutbound(ANYWHERE);
  const target = { url: checkUrl(outbound, options.forwardTo), keys: [readKey(secret)] };
  const feed = await findFeed(terminal, options);
  const signal = createStopSignal(terminal);
  signal.addEventListener('abort', () => void outbound.close()); // a target that hangs must not delay the exit
  if (options.json) printJson(terminal, { forward_to: target.url, secret });
  else terminal.stdout(presentStart(target.url, feed, options, secret));
  const note = (line: string) => printNote(terminal, `${line}\n`);
  const texts = followFeed(terminal, { feed, cursor: feed.end_cursor, isOnce: false, signal, note });
  const counts = { sent: 0, accepted: 0 };
  try {
    for await (const delivery of forward(texts, { outbound, target, types, signal })) {
      counts.sent++;
      if (isAccepted(delivery.answer)) counts.accepted++;
      if (options.json) printJson(terminal, toJson(delivery));
      else terminal.stdout(`${describeDelivery(delivery)}\n`);
    }
  } finally {
    await outbound.close();
  }
  note(`Sent ${counts.sent} ${counts.sent === 1 ? 'event' : 'events'}, ${counts.accepted} accepted.`);
}

/** Sends events one at a time, in the order of the feed. */
async function* forward(
  texts: AsyncIterable<string>,
  { outbound, target, types, signal }: Forwarding,
): AsyncGenerator<Delivery, void> {
  for await (const text of texts) {
    const event = JSON.parse(text) as FeedEvent;
    if (types !== null && !types.has(event.event_type)) continue;
    const delivery = await deliver(outbound, target, event, text);
    if (signal.aborted) return; // aborted by us, so the result does not describe the target
    yield delivery;
  }
}

async function deliver(outbound: Outbound, target: Target, event: FeedEvent, body: string): Promise<Delivery> {
  const startMs = performance.now();
  const message = { id: event.event_id, at: systemClock.now(), body };
  const request = writeDeliveryRequest(target.keys, message, { version: VERSION, timeoutMs: DELIVERY_TIMEOUT_MS });
  const answer = await outbound.post(target.url, request);
  return { event, answer, durationMs: Math.round(performance.now() - startMs) };
}

function checkUrl(outbound: Outbound, text: string): string {
  const check = outbound.checkUrl(text);
  if (!check.ok)
    throw new CommandError(`--forward-to must be a URL, for example http://127.0.0.1:3000/hook. ${check.reason}`);
  return check.url;
}

function readKey(secret: string): KeyObject {
  const key = parseSecret(secret);
  if (key === null) throw new CommandError('--secret must be "whsec_" followed by 24 to 64 bytes in base64.');
  return key;
}

function presentStart(url: string, feed: Feed, options: ListenOptions, secret: string): string {
  const what = options.events === undefined ? 'all new events' : `new ${options.events}`;
  const signing =
    options.secret === undefined ? `Signing secret for this session: ${secret}` : 'Signing with the given secret.';
  return `Forwarding ${what} of ${feed.account}, ${feed.environment} to ${url}. Press Ctrl-C to stop.\n${signing}\n`;
}

function isAccepted(answer: OutboundAnswer): boolean {
  return answer.ok && answer.status >= 200 && answer.status < 300;
}

function describeDelivery({ event, answer, durationMs }: Delivery): string {
  const outcome = answer.ok ? `${answer.status} in ${durationMs} ms` : `failed: ${answer.message}`;
  return `${describeTime(event.timestamp)}  ${event.event_type}  ${event.event_id}  ${outcome}`;
}

function toJson({ event, answer, durationMs }: Delivery) {
  return {
    event_id: event.event_id,
    event_type: event.event_type,
    status: answer.status,
    error: answer.ok ? null : answer.reason,
    duration_ms: durationMs,
  };
}
