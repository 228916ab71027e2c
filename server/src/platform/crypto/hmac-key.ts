// HMAC-SHA256 of many short texts under one key (RFC 2104): the two hashes that it is made of, each in one call. Node's own Hmac
// makes an object and two contexts a text, which takes longer than the hashing.
import { hash } from 'node:crypto';

const ALGORITHM = 'sha256';
const BLOCK_BYTES = 64;
const DIGEST_BYTES = 32;
const INNER_MASK = 0x36;
const OUTER_MASK = 0x5c;
const USUAL_TEXT_BYTES = 2_048;

export class HmacKey {
  /** The masked key, and room for the text behind it. */
  #inner: Buffer;
  /** The masked key, and room for the inner digest. */
  readonly #outer: Buffer;

  constructor(key: Uint8Array) {
    const block = key.length > BLOCK_BYTES ? hash(ALGORITHM, key, 'buffer') : key;
    this.#inner = maskKey(block, INNER_MASK, USUAL_TEXT_BYTES);
    this.#outer = maskKey(block, OUTER_MASK, DIGEST_BYTES);
  }

  /** In base64. */
  sign(text: string): string {
    const end = BLOCK_BYTES + Buffer.byteLength(text);
    if (end > this.#inner.length) this.#inner = Buffer.concat([this.#inner], 2 * end);
    this.#inner.write(text, BLOCK_BYTES);
    // As a string: a digest in a Buffer of its own costs as much as making it.
    this.#outer.write(hash(ALGORITHM, this.#inner.subarray(0, end), 'latin1'), BLOCK_BYTES, 'latin1');
    return hash(ALGORITHM, this.#outer, 'base64');
  }
}

function maskKey(key: Uint8Array, mask: number, room: number): Buffer {
  const block = Buffer.alloc(BLOCK_BYTES + room).fill(mask, 0, BLOCK_BYTES);
  for (const [index, byte] of key.entries()) block[index] = byte ^ mask;
  return block;
}
