// Collects the chunks of a body. The sender chooses their size: a buffer per chunk would take 200 bytes for a chunk of one byte, and
// could keep all that arrived with it from being freed. So small chunks are copied together; there is never much more memory than bytes.

const PART_BYTES = 16_384;
const NOTHING = Buffer.alloc(0);

export class ByteCollector {
  #parts: Buffer[] = [];
  /** The free rest of the last part. */
  #room: Buffer = NOTHING;
  #size = 0;

  get size(): number {
    return this.#size;
  }

  add(chunk: Buffer): void {
    const isFirst = this.#size === 0; // most bodies are one chunk
    this.#size += chunk.length;
    const copied = chunk.copy(this.#room);
    this.#room = this.#room.subarray(copied);
    if (copied === chunk.length) return;
    const rest = chunk.subarray(copied);
    if (isFirst || rest.length >= PART_BYTES) {
      this.#parts.push(rest);
      return;
    }
    const part = Buffer.allocUnsafeSlow(PART_BYTES);
    this.#parts.push(part);
    this.#room = part.subarray(rest.copy(part));
  }

  /** Returns everything and forgets it. */
  take(): Buffer {
    const bytes = Buffer.concat(this.#parts, this.#size);
    this.clear();
    return bytes;
  }

  clear(): void {
    this.#parts = [];
    this.#room = NOTHING;
    this.#size = 0;
  }
}
