// What the search of the site finds: the parts of each guide, and each operation. Pure.
import type { Guide } from './guides.ts';
import type { ApiReference } from './reference/read-operations.ts';
import { slugOf } from './render-markdown.ts';

type SearchEntry = {
  /** Of the guide or of the group of operations. */
  readonly page: string;
  readonly title: string;
  readonly url: string;
  readonly text: string;
};

const HEADING = /^#{1,4} (.+)$/;
/** Enough to find a part by its words. Keeps the index small. */
const MAX_TEXT_LENGTH = 1200;

export function buildSearchIndex(guides: readonly Guide[], reference: ApiReference): SearchEntry[] {
  return [...guides.flatMap(partsOf), ...reference.flatMap(operationsOf)];
}

function partsOf({ name, title, text }: Guide): SearchEntry[] {
  const parts: { title: string; lines: string[] }[] = [];
  let isCode = false;
  for (const line of text.replace(/<!--.*?-->/gs, '').split('\n')) {
    if (line.startsWith('```')) isCode = !isCode;
    const heading = isCode ? null : HEADING.exec(line);
    if (heading?.[1] !== undefined) parts.push({ title: heading[1].replaceAll('`', ''), lines: [] });
    else parts.at(-1)?.lines.push(line);
  }
  return parts.map((part) => ({
    page: title,
    title: part.title,
    url: `docs/${name}#${slugOf(part.title)}`,
    text: part.lines
      .join(' ')
      .replaceAll(/[`*|#]+|\]\([^)]*\)|\[/g, ' ')
      .replaceAll(/\s+/g, ' ')
      .trim()
      .slice(0, MAX_TEXT_LENGTH),
  }));
}

function operationsOf({ name, title, operations }: ApiReference[number]): SearchEntry[] {
  return operations.map((operation) => ({
    page: `API: ${title}`,
    title: operation.summary,
    url: `docs/reference/${name}#${operation.id}`,
    text: `${operation.method} ${operation.path} ${operation.id} ${operation.description}`.slice(0, MAX_TEXT_LENGTH),
  }));
}
