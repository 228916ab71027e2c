// A hosted page: no external resources, not cached by the browser, and no referrer for other sites. Scripts are allowed only by hash.
import { createHash } from 'node:crypto';
import type { RawReply } from '../http/raw-exchange.ts';
import { FAVICON_URL } from './favicon.ts';
import { Html, html } from './html.ts';
import type { PageContext } from './page-context.ts';
import { brandRow, outcomeSign, pageFooter, type Tone } from './page-parts.ts';
import { accentStyle, PAGE_STYLE } from './page-style.ts';

export type HostedPage = {
  readonly status: number;
  readonly title: string;
  readonly body: Html;
  readonly context: PageContext;
  /** Shown above the body. Absent: no outcome. */
  readonly tone?: Tone;
  /** The body shows the account itself. */
  readonly hasOwnHeader?: boolean;
  /** Other origins that its forms can lead to, including redirects after a form. */
  readonly formTargets?: readonly string[] | 'anywhere';
  /** Instead of the style of our own pages. */
  readonly style?: string;
  /** Runs at the end of the page. */
  readonly script?: string;
  readonly headers?: Readonly<Record<string, string>>;
};

export function hostedPage(page: HostedPage): RawReply {
  const { status, title, context, script, headers = {} } = page;
  const { brand, language } = context;
  const styles = [page.style ?? PAGE_STYLE, ...(brand?.accentColor ? [accentStyle(brand.accentColor)] : [])];
  const document = html`<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<title>${title}</title>
<link rel="icon" href="${FAVICON_URL}" type="image/svg+xml">
${styles.map((style) => html`<style>${new Html(style)}</style>`)}
</head>
<body><main>${page.hasOwnHeader ? null : brandRow(brand)}${page.tone ? outcomeSign(page.tone) : null}${page.body}</main>
${pageFooter(context)}
${script === undefined ? null : html`<script>${new Html(script)}</script>`}</body>
</html>
`;
  return {
    status,
    body: document.text,
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': writePolicy(page, styles),
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
      'cross-origin-opener-policy': 'same-origin',
      ...headers,
    },
  };
}

function writePolicy({ formTargets = [], script }: HostedPage, styles: readonly string[]): string {
  return [
    "default-src 'none'",
    `style-src ${styles.map(hashSource).join(' ')}`,
    ...(script === undefined ? [] : [`script-src ${hashSource(script)}`]),
    "img-src 'self' https: data:",
    ...(formTargets === 'anywhere' ? [] : [`form-action ${["'self'", ...formTargets].join(' ')}`]),
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}

function hashSource(content: string): string {
  return `'sha256-${createHash('sha256').update(content).digest('base64')}'`;
}
