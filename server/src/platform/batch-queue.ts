// Collects single items and processes many of them at once, for example in one statement (group commit). Items that
// arrive while a batch is in flight share the next one, so the load decides the size of the batches. Batches start in
// the order of their items, unless there are kinds. An error reaches all callers of its batch, and no others.

export type BatchOptions<Item, Result> = {
  /** Processes a batch; returns one result per item, in their order. */
  run(items: readonly Item[]): Promise<readonly Result[]>;
  readonly maxItems: number;
  /** With 1, batches also end in the order of their items. */
  readonly maxInFlight: number;
  /**
   * How long a batch that is not full waits for more items. With 0, the first one waits only for the end of this round
   * of the event loop, so that of many concurrent calls the first is not alone.
   */
  readonly gatherMs: number;
  /** The same while another batch is in flight. When none is left in flight, the next one starts at once. */
  readonly gatherBesideMs?: number;
  /** Whether a batch of another queue is in flight that counts for `gatherBesideMs`, too. */
  isBesideOthers?(): boolean;
  /** A batch has the oldest item and others of its kind. Another kind is added while there are fewer than `minItems`. */
  readonly kinds?: { kindOf(item: Item): unknown; readonly minItems: number };
  /** Called when nothing waits and nothing is in flight. */
  onIdle?(): void;
};

type Waiting<Item, Result> = { readonly item: Item; readonly done: PromiseWithResolvers<Result> };

export class BatchQueue<Item, Result> {
  readonly #options: BatchOptions<Item, Result>;
  #waiting: Waiting<Item, Result>[] = [];
  readonly #inFlight = new Set<Promise<void>>();
  #cancelGathering: (() => void) | null = null;

  constructor(options: BatchOptions<Item, Result>) {
    this.#options = options;
  }

  /** Items whose batch has not started. */
  get waitingCount(): number {
    return this.#waiting.length;
  }

  /** A batch is in flight. */
  get isBusy(): boolean {
    return this.#inFlight.size > 0;
  }

  /** Resolves with the result of the item. */
  add(item: Item): Promise<Result> {
    const done = Promise.withResolvers<Result>();
    this.#waiting.push({ item, done });
    this.#gather();
    return done.promise;
  }

  /** Starts the next batch now, and waits until all items added so far are processed or have failed. */
  async flush(): Promise<void> {
    const waiting = this.#waiting.map(({ done }) => done.promise);
    this.#start();
    await Promise.allSettled([...this.#inFlight, ...waiting]);
  }

  #gather(): void {
    if (this.#waiting.length === 0 || this.#inFlight.size >= this.#options.maxInFlight) return;
    const gatherMs = this.#gatherMs();
    if (gatherMs > 0 && this.#waiting.length >= this.#options.maxItems) this.#start();
    else this.#cancelGathering ??= callLater(gatherMs, () => this.#start());
  }

  #gatherMs(): number {
    const { gatherMs, gatherBesideMs = gatherMs, isBesideOthers } = this.#options;
    return this.isBusy || isBesideOthers?.() ? gatherBesideMs : gatherMs;
  }

  #start(): void {
    this.#cancelGathering?.();
    this.#cancelGathering = null;
    if (this.#waiting.length === 0 || this.#inFlight.size >= this.#options.maxInFlight) return;
    const processed = this.#process(this.#takeBatch()).then(() => {
      this.#inFlight.delete(processed);
      this.#continue();
    });
    this.#inFlight.add(processed);
    this.#gather(); // the rest can run beside this batch
  }

  #takeBatch(): Waiting<Item, Result>[] {
    const { maxItems, kinds } = this.#options;
    if (kinds === undefined) return this.#waiting.splice(0, maxItems);
    const batch: Waiting<Item, Result>[] = [];
    for (const same of Map.groupBy(this.#waiting, ({ item }) => kinds.kindOf(item)).values())
      if (batch.length < kinds.minItems) batch.push(...same.slice(0, maxItems - batch.length));
    const taken = new Set(batch);
    this.#waiting = this.#waiting.filter((one) => !taken.has(one));
    return batch;
  }

  #continue(): void {
    if (this.#gatherMs() === 0) this.#start();
    else this.#gather();
    if (this.#waiting.length === 0 && this.#inFlight.size === 0) this.#options.onIdle?.();
  }

  /** Never rejects. */
  async #process(batch: readonly Waiting<Item, Result>[]): Promise<void> {
    try {
      const results = await this.#options.run(batch.map(({ item }) => item));
      if (results.length !== batch.length) throw new Error(`${results.length} results for ${batch.length} items`);
      batch.forEach(({ done }, index) => {
        done.resolve(results[index] as Result);
      });
    } catch (error) {
      for (const { done } of batch) done.reject(error);
    }
  }
}

/** Returns a function that cancels the call. */
function callLater(afterMs: number, call: () => void): () => void {
  if (afterMs === 0) {
    const immediate = setImmediate(call);
    return () => clearImmediate(immediate);
  }
  const timer = setTimeout(call, afterMs);
  return () => clearTimeout(timer);
}
