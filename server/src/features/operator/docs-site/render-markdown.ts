// The part of Markdown that the guides use: headings, paragraphs, lists, tables and code. Pure.
import { Html, html } from '../../../platform/pages/html.ts';
import { type LinkOf, renderInline } from './render-inline.ts';

const FENCE = /^```/;
const HEADING = /^(#{1,4}) (.+)$/;
const ITEM = /^(\s*)(?:[-*]|\d+\.) (.*)$/;
const INDENTED = /^( {4}|\t)/;
const NUMBERED = /^\s*\d+\. /;

export function renderMarkdown(text: string, linkOf: LinkOf): Html {
  return renderBlocks(text.replace(/<!--.*?-->/gs, '').split('\n'), linkOf);
}

function renderBlocks(lines: readonly string[], linkOf: LinkOf): Html {
  const blocks: Html[] = [];
  let rest = lines;
  while (rest.length > 0) {
    const [block, after] = takeBlock(rest, linkOf);
    if (block !== null) blocks.push(block);
    rest = after;
  }
  return html`${blocks}`;
}

type Taken = readonly [Html | null, readonly string[]];

function takeBlock(lines: readonly string[], linkOf: LinkOf): Taken {
  const [line = ''] = lines;
  const heading = HEADING.exec(line);
  if (line.trim() === '') return [null, lines.slice(1)];
  if (FENCE.test(line)) return takeFence(lines);
  if (heading) return [renderHeading(heading[1] ?? '', heading[2] ?? '', linkOf), lines.slice(1)];
  if (line.startsWith('|')) return takeTable(lines, linkOf);
  if (INDENTED.test(line)) return takeIndented(lines);
  if (ITEM.test(line)) return takeList(lines, linkOf);
  return takeParagraph(lines, linkOf);
}

function takeFence(lines: readonly string[]): Taken {
  const end = lines.findIndex((line, index) => index > 0 && FENCE.test(line));
  const last = end === -1 ? lines.length : end;
  return [codeBlock(lines.slice(1, last)), lines.slice(last + 1)];
}

function takeIndented(lines: readonly string[]): Taken {
  const end = endOf(lines, (line) => INDENTED.test(line) || line.trim() === '');
  const code = lines.slice(0, end).map((line) => line.replace(INDENTED, ''));
  return [codeBlock(code.slice(0, code.findLastIndex((line) => line.trim() !== '') + 1)), lines.slice(end)];
}

/** Can be scrolled sideways, so the keyboard must reach it. */
function codeBlock(lines: readonly string[]): Html {
  return html`<pre tabindex="0"><code>${lines.join('\n')}</code></pre>
`;
}

function takeTable(lines: readonly string[], linkOf: LinkOf): Taken {
  const end = endOf(lines, (line) => line.startsWith('|'));
  const [head = '', , ...rows] = lines.slice(0, end);
  const headCells = splitRow(head).map((cell) =>
    cell === '' ? html`<td></td>` : html`<th scope="col">${renderInline(cell, linkOf)}</th>`,
  );
  const cells = (row: string) => splitRow(row).map((cell) => html`<td>${renderInline(cell, linkOf)}</td>`);
  const table = html`<div class="table" tabindex="0"><table><thead><tr>${headCells}</tr></thead>
<tbody>${rows.map((row) => html`<tr>${cells(row)}</tr>\n`)}</tbody></table></div>
`;
  return [table, lines.slice(end)];
}

function splitRow(row: string): string[] {
  return row
    .replace(/^\||\|\s*$/g, '')
    .split(/(?<!\\)\|/)
    .map((cell) => cell.trim().replaceAll('\\|', '|'));
}

function takeList(lines: readonly string[], linkOf: LinkOf): Taken {
  const [first = ''] = lines;
  const indent = ITEM.exec(first)?.[1]?.length ?? 0;
  const end = lines.findIndex((line, index) => {
    const isWithin = line.trim() === '' || /^\s/.test(line) || ITEM.test(line);
    const isLastBlank = line.trim() === '' && !/^\s+\S|^\s*(?:[-*]|\d+\.) /.test(lines[index + 1] ?? '');
    return !isWithin || isLastBlank;
  });
  const own = lines.slice(0, end === -1 ? lines.length : end);
  const items: string[][] = [];
  for (const line of own) {
    const item = ITEM.exec(line);
    if (item && (item[1]?.length ?? 0) <= indent) items.push([item[2] ?? '']);
    else items.at(-1)?.push(line.replace(/^ {1,3}/, ''));
  }
  const list = items.map((item) => html`<li>${renderItem(item, linkOf)}</li>\n`);
  const tag = NUMBERED.test(first) ? 'ol' : 'ul';
  return [html`${new Html(`<${tag}>`)}${list}${new Html(`</${tag}>\n`)}`, lines.slice(own.length)];
}

/** The first lines are text without a paragraph; a list or code may follow. */
function renderItem(lines: readonly string[], linkOf: LinkOf): Html {
  const end = endOf(lines, (line) => line.trim() !== '' && !ITEM.test(line) && !FENCE.test(line));
  const words = lines.slice(0, Math.max(end, 1)).map((line) => line.trim());
  return html`${renderInline(words.join(' '), linkOf)}${renderBlocks(lines.slice(words.length), linkOf)}`;
}

function takeParagraph(lines: readonly string[], linkOf: LinkOf): Taken {
  const end = endOf(
    lines,
    (line, index) =>
      index === 0 ||
      !(line.trim() === '' || FENCE.test(line) || HEADING.test(line) || ITEM.test(line) || line.startsWith('|')),
  );
  return [html`<p>${renderInline(lines.slice(0, end).join(' '), linkOf)}</p>\n`, lines.slice(end)];
}

function renderHeading(marks: string, text: string, linkOf: LinkOf): Html {
  const tag = `h${marks.length}`;
  return html`${new Html(`<${tag} id="${slugOf(text)}">`)}${renderInline(text, linkOf)}${new Html(`</${tag}>\n`)}`;
}

/** As on GitHub, so that links to a part of a guide work in both places. */
export function slugOf(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replaceAll(' ', '-');
}

/** The index of the first line that does not belong; the number of lines if all do. */
function endOf(lines: readonly string[], belongs: (line: string, index: number) => boolean): number {
  const end = lines.findIndex((line, index) => !belongs(line, index));
  return end === -1 ? lines.length : end;
}
