import type { CallOptions } from '../caller.ts';
import type { Form, Query, Reply } from '../form.ts';
import { sleep } from '../transport.ts';
import type { FeedEvent } from '../verify-webhook.ts';
import { type ReadArguments, Resource } from './resource.ts';

const POLL_MS = 5_000; // the service needs no more for events than one indexed read

type FeedQuery<F extends Form> = Query<F, 'listEvents'>;
type FeedPage<F extends Form> = Reply<F, 'listEvents'>;

export class Events<F extends Form> extends Resource<F> {
  /** One page, oldest first. */
  list(...args: ReadArguments<F, 'listEvents'>) {
    return this.read('listEvents', [], args);
  }

  /** All events up to now, oldest first. */
  async *iterate(query?: FeedQuery<F>, options?: CallOptions): AsyncGenerator<FeedEvent, void, undefined> {
    for await (const { events } of this.pages(query, options)) yield* events;
  }

  /** Pages up to now. Store `cursor` when you are done with `events`, and start from it the next time. */
  async *pages(query?: FeedQuery<F>, options?: CallOptions): AsyncGenerator<FeedPage<F>, void, undefined> {
    let page = await this.readPage(query, undefined, options);
    while (page.has_more) {
      yield page;
      page = await this.readPage(query, page.cursor, options);
    }
    yield page;
  }

  /** Pages for ever, waiting for new events; pages without events are skipped. Ends when `signal` is aborted, by its reason. */
  async *follow(
    query?: FeedQuery<F>,
    { pollMs = POLL_MS, ...options }: CallOptions & { readonly pollMs?: number } = {},
  ): AsyncGenerator<FeedPage<F>, never, undefined> {
    let cursor: string | undefined;
    for (;;) {
      const page = await this.readPage(query, cursor, options);
      if (page.events.length > 0) yield page;
      cursor = page.cursor;
      if (!page.has_more) await sleep(pollMs, options.signal);
    }
  }

  private readPage(
    query: FeedQuery<F> | undefined,
    cursor: string | undefined,
    options: CallOptions | undefined,
  ): Promise<FeedPage<F>> {
    const position = cursor === undefined ? {} : { cursor };
    return this.caller.call('listEvents', { query: { ...query, ...position } as FeedQuery<F> }, options);
  }
}
