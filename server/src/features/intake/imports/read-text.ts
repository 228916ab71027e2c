// Decodes a stream of bytes into text, by its byte order mark, else as UTF-8.
import { importError } from './import-error.ts';

const UTF_16 = [
  { mark: [0xff, 0xfe], encoding: 'utf-16le' },
  { mark: [0xfe, 0xff], encoding: 'utf-16be' },
] as const;
const REPLACEMENT = '\ufffd';

/** `isStrict`: bytes that are not text are an error; otherwise they are replaced. */
export async function* readText(
  bytes: AsyncIterable<Uint8Array>,
  name: string,
  { isStrict }: { isStrict: boolean },
): AsyncGenerator<string> {
  let decoder: TextDecoder | null = null;
  let lines = 0;
  let lastLine = '';
  for await (const chunk of bytes) {
    decoder ??= new TextDecoder(findEncoding(chunk), { fatal: isStrict });
    let text: string;
    try {
      text = decoder.decode(chunk, { stream: true });
    } catch {
      throw notUtf8(name, lines, lastLine + new TextDecoder().decode(chunk));
    }
    if (isStrict) {
      for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) lines += 1;
      const start = text.lastIndexOf('\n') + 1;
      lastLine = (start === 0 ? lastLine.slice(-MAX_COLUMNS) : '') + text.slice(start);
    }
    yield text;
  }
}

/** Only counted for the message. */
const MAX_COLUMNS = 1_000_000;

/** `text` begins at the start of a line. */
export function notUtf8(name: string, linesBefore: number, text: string) {
  const before = text.slice(0, Math.max(0, text.indexOf(REPLACEMENT))).split('\n');
  const column = (before.at(-1)?.length ?? 0) + 1;
  return importError(
    'the text is not UTF-8. Save the file as UTF-8, and import it again.',
    `${name}, line ${linesBefore + before.length}, column ${column}`,
  );
}

export function findEncoding([first, second]: Uint8Array): string {
  return UTF_16.find(({ mark }) => mark[0] === first && mark[1] === second)?.encoding ?? 'utf-8';
}
