// A hosted page: no scripts, no external resources, not cached by the browser, and no referrer for other sites.
import { createHash } from 'node:crypto';
import type { RawReply } from '../http/raw-exchange.ts';
import { Html, html } from './html.ts';
import { PAGE_STYLE } from './page-style.ts';

export type HostedPage = {
  readonly status: number;
  readonly title: string;
  readonly body: Html;
  /** Other origins that its forms can lead to, including redirects after a form. */
  readonly formTargets?: readonly string[] | 'anywhere';
  readonly headers?: Readonly<Record<string, string>>;
};

const STYLE_HASH = createHash('sha256').update(PAGE_STYLE).digest('base64');

export function hostedPage({ status, title, body, formTargets = [], headers = {} }: HostedPage): RawReply {
  const page = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<title>${title}</title>
<style>${new Html(PAGE_STYLE)}</style>
</head>
<body><main>${body}</main></body>
</html>
`;
  const policy = [
    "default-src 'none'",
    `style-src 'sha256-${STYLE_HASH}'`,
    "img-src 'self' https: data:",
    ...(formTargets === 'anywhere' ? [] : [`form-action ${["'self'", ...formTargets].join(' ')}`]),
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ];
  return {
    status,
    body: page.text,
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': policy.join('; '),
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
      'cross-origin-opener-policy': 'same-origin',
      ...headers,
    },
  };
}
