// The parts of a mail's plain text, so that the preview can show its button. Pure.

export type MailPart =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'quote'; readonly text: string }
  | { readonly kind: 'list'; readonly items: readonly string[] }
  | { readonly kind: 'link'; readonly label: string; readonly url: string }
  | { readonly kind: 'footer'; readonly text: string };

/** Paragraphs are separated by an empty line; a link is a label with a colon and an address below it. */
export function readMail(text: string): MailPart[] {
  const [body = '', footer] = text.split(/\n?-- \n/);
  const parts = body
    .trim()
    .split(/\n{2,}/)
    .map(readPart);
  return footer === undefined ? parts : [...parts, { kind: 'footer', text: footer.trim() }];
}

function readPart(paragraph: string): MailPart {
  const lines = paragraph.split('\n');
  const [first = '', second = ''] = lines;
  if (lines.length === 2 && first.endsWith(':') && /^https?:\/\//.test(second))
    return { kind: 'link', label: first.slice(0, -1), url: second };
  if (lines.every((line) => line.startsWith('> ') || line === '>'))
    return { kind: 'quote', text: lines.map((line) => line.replace(/^> ?/, '')).join('\n') };
  if (lines.every((line) => line.startsWith('- '))) return { kind: 'list', items: lines.map((line) => line.slice(2)) };
  return { kind: 'text', text: paragraph };
}
