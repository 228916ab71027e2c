// Streams an XML file through a parser that follows the standard, and reports faults with line and column.
import { SaxesParser } from 'saxes';
import { ImportError, importError } from '../import-error.ts';

type XmlHandler = {
  open(name: string, attributes: Readonly<Record<string, string>>, path: readonly string[]): void;
  /** `text` is the trimmed text of the element. `path` does not include it. */
  close(name: string, text: string, path: readonly string[]): void;
};

/** Names and values have a few dozen characters; tracks have millions of elements, not deep ones. */
const MAX_TEXT = 65_536;
const MAX_DEPTH = 64;
const MAX_UNREAD = 1_048_576;

export async function readXml(texts: AsyncIterable<string>, name: string, handler: XmlHandler): Promise<void> {
  const parser = new SaxesParser();
  const path: string[] = [];
  let text = '';
  /** Characters since the last tag, which the parser keeps. */
  let unread = 0;
  const at = () => `${name}, line ${parser.line}, column ${parser.column + 1}`;
  parser.on('error', (error) => {
    throw importError(`invalid XML: ${error.message.replace(/^\S*?\d+:\d+: /, '')}`, at());
  });
  parser.on('opentag', ({ name: tag, attributes }) => {
    unread = 0;
    if (path.length >= MAX_DEPTH) throw importError('the elements are nested too deeply', at());
    handler.open(localName(tag), attributes, path);
    path.push(localName(tag));
    text = '';
  });
  parser.on('closetag', () => {
    unread = 0;
    const tag = path.pop() ?? '';
    handler.close(tag, text.trim(), path);
    text = '';
  });
  parser.on('text', (piece) => {
    if (text.length < MAX_TEXT) text += piece;
  });
  for await (const piece of texts) {
    unread += piece.length;
    parser.write(piece);
    if (unread > MAX_UNREAD) throw importError('more than a million characters without an element', at());
  }
  try {
    parser.close();
  } catch (error) {
    if (error instanceof ImportError)
      throw new ImportError('the file ends early. Create or copy it again.', { at: at(), isPartial: true });
    throw error;
  }
}

/** Without the prefix of its namespace. */
function localName(tag: string): string {
  return tag.slice(tag.indexOf(':') + 1);
}
