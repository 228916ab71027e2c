// The code blocks of the Markdown files: fenced, also within lists, and indented by four spaces. Pure.

export type Block = {
  /** Empty for an indented block. */
  readonly language: string;
  readonly line: number;
  readonly code: string;
  /** Names the block within its page; a second block with the same first line gets a number. */
  readonly name: string;
};

const FENCE = /^( *)```(\w*)/;
const INDENTED = /^ {4}/;
const ITEM = /^\s*(?:[-*]|\d+\.) /;

export function readBlocks(text: string): Block[] {
  const lines = text.replace(/<!--.*?-->/gs, (comment) => comment.replaceAll(/[^\n]/g, '')).split('\n');
  const found: Omit<Block, 'name'>[] = [];
  let isInList = false;
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at] ?? '';
    const fence = FENCE.exec(line);
    if (ITEM.test(line)) isInList = true;
    else if (/^\S/.test(line)) isInList = false;
    const isIndented = !isInList && INDENTED.test(line) && (lines[at - 1] ?? '').trim() === '';
    if (!fence && !isIndented) continue;
    const end = lines.findIndex((one, index) => index > at && (fence ? FENCE.test(one) : isAfterIndented(one)));
    const last = end === -1 ? lines.length : end;
    const indent = fence?.[1] ?? '    ';
    const own = lines.slice(fence ? at + 1 : at, last).map((one) => one.replace(new RegExp(`^${indent}`), ''));
    found.push({ language: fence?.[2] ?? '', line: at + 1, code: `${own.join('\n').trimEnd()}\n` });
    at = fence ? last : last - 1;
  }
  return found.map((block, index) => ({ ...block, name: nameOf(found, index) }));
}

function isAfterIndented(line: string): boolean {
  return line !== '' && !INDENTED.test(line);
}

function nameOf(blocks: readonly { readonly code: string }[], index: number): string {
  const firstLine = (code = '') => code.trimStart().split('\n', 1)[0] ?? '';
  const own = firstLine(blocks[index]?.code);
  const earlier = blocks.slice(0, index).filter(({ code }) => firstLine(code) === own).length;
  return earlier === 0 ? own : `${own} (${earlier + 1})`;
}
