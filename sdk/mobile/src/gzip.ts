// Compression of request bodies, if the runtime has it or the app injects it.

export type Gzip = (text: string) => Promise<Uint8Array<ArrayBuffer>>;

/** Null in runtimes without CompressionStream, such as Hermes: inject pako or a native module there. */
export function builtInGzip(): Gzip | null {
  if (typeof CompressionStream === 'undefined') return null;
  return async (text) => {
    const stream = new Blob([text]).stream().pipeThrough(new CompressionStream('gzip'));
    return new Uint8Array(await new Response(stream).arrayBuffer());
  };
}

export function utf8Length(text: string): number {
  let bytes = text.length;
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    if (code < 0x80) continue;
    // A surrogate pair is 4 bytes for 2 units.
    bytes += code < 0x800 || (code >= 0xd800 && code <= 0xdfff) ? 1 : 2;
  }
  return bytes;
}
