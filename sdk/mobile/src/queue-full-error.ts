/** The changes would exceed `maxQueueBytes`. None of them is stored, and the anchor is unchanged: flush, then enqueue them again. */
export class QueueFullError extends Error {
  readonly code = 'queue_full';
  readonly queuedBytes: number;
  readonly addedBytes: number;
  readonly maxQueueBytes: number;

  constructor(sizes: { readonly queuedBytes: number; readonly addedBytes: number; readonly maxQueueBytes: number }) {
    const { queuedBytes, addedBytes, maxQueueBytes } = sizes;
    super(
      addedBytes > maxQueueBytes
        ? `These changes have ${addedBytes} bytes and the queue holds ${maxQueueBytes}. Enqueue fewer records at a time.`
        : `The queue holds ${queuedBytes} of ${maxQueueBytes} bytes. Keep the anchor, and enqueue again after a flush.`,
    );
    this.name = 'QueueFullError';
    this.queuedBytes = queuedBytes;
    this.addedBytes = addedBytes;
    this.maxQueueBytes = maxQueueBytes;
  }

  /** False: the changes are larger than the whole queue. Enqueue fewer records at a time. */
  get fitsLater(): boolean {
    return this.addedBytes <= this.maxQueueBytes;
  }
}
