// Markdown within a line: code, links, bold, italics and anchors. Pure.
import { type Html, html } from '../../../platform/pages/html.ts';

/** The address of a link; null: show only its text. */
export type LinkOf = (target: string) => string | null;

const TOKEN =
  /`([^`]+)`|!?\[((?:[^[\]]|\[[^\]]*\])*)\]\(([^)\s]+)\)|\*\*(.+?)\*\*|\*([^*\s](?:[^*]*[^*\s])?)\*|<a id="([\w-]+)"><\/a>/g;

export function renderInline(text: string, linkOf: LinkOf): Html {
  const pieces: (Html | string)[] = [];
  let end = 0;
  for (const match of text.matchAll(TOKEN)) {
    pieces.push(text.slice(end, match.index), renderToken(match, linkOf));
    end = match.index + match[0].length;
  }
  return html`${[...pieces, text.slice(end)]}`;
}

function renderToken([, code, label, target, bold, italic, anchor]: RegExpExecArray, linkOf: LinkOf): Html {
  if (code !== undefined) return html`<code>${code}</code>`;
  if (bold !== undefined) return html`<strong>${renderInline(bold, linkOf)}</strong>`;
  if (italic !== undefined) return html`<em>${renderInline(italic, linkOf)}</em>`;
  if (anchor !== undefined) return html`<span id="${anchor}"></span>`;
  const words = renderInline(label ?? '', linkOf);
  const url = linkOf(target ?? '');
  return url === null ? words : html`<a href="${url}">${words}</a>`;
}
