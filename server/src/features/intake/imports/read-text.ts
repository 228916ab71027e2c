// Decodes a stream of bytes into text, by its byte order mark, else as UTF-8.
import { importError } from './import-error.ts';

const UTF_16 = [
  { mark: [0xff, 0xfe], encoding: 'utf-16le' },
  { mark: [0xfe, 0xff], encoding: 'utf-16be' },
] as const;

/** `isStrict`: bytes that are no text are an error; otherwise they are replaced. */
export async function* readText(
  bytes: AsyncIterable<Uint8Array>,
  name: string,
  { isStrict }: { isStrict: boolean },
): AsyncGenerator<string> {
  let decoder: TextDecoder | null = null;
  for await (const chunk of bytes) {
    decoder ??= new TextDecoder(findEncoding(chunk), { fatal: isStrict });
    yield decode(decoder, chunk, name);
  }
}

function findEncoding([first, second]: Uint8Array): string {
  return UTF_16.find(({ mark }) => mark[0] === first && mark[1] === second)?.encoding ?? 'utf-8';
}

function decode(decoder: TextDecoder, chunk: Uint8Array, name: string): string {
  try {
    return decoder.decode(chunk, { stream: true });
  } catch {
    throw importError('the text is not UTF-8. Save the file as UTF-8, and import it again.', name);
  }
}
