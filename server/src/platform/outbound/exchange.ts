// Sends one request and reads the response within a time and a size limit. Always results in an OutboundAnswer.
import type { Dispatcher } from 'undici';
import { ByteCollector } from '../byte-collector.ts';
import { asOutboundError, type OutboundAnswer, OutboundError, type OutboundHeaders } from './outbound-answer.ts';

type Exchange = {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array | null;
  /** Until the last byte of the response, including the wait for a free connection. */
  readonly timeoutMs: number;
  readonly maxResponseBytes: number;
};

/** More than any server sends. A server could send millions a second, which would keep the event loop busy until the timeout. */
const MAX_INTERIM_RESPONSES = 100;

/**
 * Uses the dispatcher directly, because undici's `request` reports an abort only once it has a connection, which may be long
 * after the timeout.
 */
export function exchange(dispatcher: Dispatcher, requested: Exchange): Promise<OutboundAnswer> {
  return new Promise((resolve) => {
    const answer = new AnswerInProgress(requested, resolve);
    const { method, path, headers, body } = requested;
    try {
      dispatcher.dispatch({ method, path, headers, body }, answer);
    } catch (error) {
      answer.giveUp(asOutboundError(error));
    }
  });
}

class AnswerInProgress implements Dispatcher.DispatchHandler {
  readonly #maxBytes: number;
  readonly #resolve: (answer: OutboundAnswer) => void;
  readonly #deadline: NodeJS.Timeout;
  readonly #body = new ByteCollector();
  #interim = 0;
  #status: number | null = null;
  #headers: OutboundHeaders = {};
  #controller: Dispatcher.DispatchController | null = null;
  #failure: OutboundError | null = null;

  constructor({ maxResponseBytes, timeoutMs }: Exchange, resolve: (answer: OutboundAnswer) => void) {
    this.#maxBytes = maxResponseBytes;
    this.#resolve = resolve;
    this.#deadline = setTimeout(() => this.giveUp(tooLate(timeoutMs)), timeoutMs);
  }

  /** Closes the connection. A request that waits for one is never sent. */
  giveUp(error: OutboundError): void {
    this.#failure ??= error;
    this.#body.clear();
    this.#settle({ ok: false, reason: error.reason, message: error.message, status: this.#status });
    this.#controller?.abort(error);
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    if (this.#failure) controller.abort(this.#failure);
  }

  onResponseStart(_controller: Dispatcher.DispatchController, status: number, headers: OutboundHeaders): void {
    if (status < 200) {
      this.#interim += 1; // the final response follows
      if (this.#interim > MAX_INTERIM_RESPONSES) this.giveUp(noFinalResponse());
      return;
    }
    this.#status = status;
    this.#headers = headers;
    if (Number(headers['content-length'] ?? 0) > this.#maxBytes) this.giveUp(tooLarge(this.#maxBytes));
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.#failure) return;
    if (this.#body.size + chunk.length > this.#maxBytes) this.giveUp(tooLarge(this.#maxBytes));
    else this.#body.add(chunk);
  }

  onResponseEnd(): void {
    this.#settle({ ok: true, status: this.#status ?? 0, headers: this.#headers, body: this.#body.take() });
  }

  onResponseError(_controller: Dispatcher.DispatchController | null, error: Error): void {
    this.giveUp(asOutboundError(error));
  }

  /** Only the first call has an effect. */
  #settle(answer: OutboundAnswer): void {
    clearTimeout(this.#deadline);
    this.#resolve(answer);
  }
}

function tooLate(timeoutMs: number): OutboundError {
  return new OutboundError('timeout', `No complete response within ${timeoutMs / 1000} s.`);
}

function tooLarge(maxBytes: number): OutboundError {
  return new OutboundError('too_large', `The response is larger than ${maxBytes} bytes.`);
}

function noFinalResponse(): OutboundError {
  return new OutboundError('protocol', `More than ${MAX_INTERIM_RESPONSES} interim responses.`);
}
