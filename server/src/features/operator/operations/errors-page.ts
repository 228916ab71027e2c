// /docs/errors: every error code with its meaning, each at an anchor of its own.
import { createHash } from 'node:crypto';
import { ERROR_CODES, type ErrorCode, wireCodeOf } from '../../../platform/errors.ts';
import { Html, html } from '../../../platform/pages/html.ts';

const STYLE = `:root { color-scheme: light dark; }
body { max-width: 62rem; margin: 2rem auto; padding: 0 1rem; font: 15px/1.5 system-ui, sans-serif; }
table { width: 100%; border-collapse: collapse; }
th, td { padding: .5rem; border-bottom: 1px solid #8886; text-align: left; vertical-align: top; }
tr:target { background: light-dark(#dff0f7, #143444); }
td:first-child { font-variant-numeric: tabular-nums; }`;

export const ERRORS_HEADERS: Readonly<Record<string, string>> = {
  'content-security-policy': `default-src 'none'; style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
};

/** A code that has two statuses has two rows; the anchor leads to the first. */
export function writeErrorsPage(): string {
  const codes = (Object.keys(ERROR_CODES) as ErrorCode[]).map((code) => ({
    ...ERROR_CODES[code],
    wire: wireCodeOf(code),
  }));
  const isFirst = (index: number) => codes.findIndex(({ wire }) => wire === codes[index]?.wire) === index;
  const rows = codes.map(
    ({ status, wire, message, when }, index) =>
      html`<tr${isFirst(index) ? html` id="${wire}"` : null}><td>${String(status)}</td><td><code>${wire}</code></td><td>${message}</td><td>${when}</td></tr>`,
  );
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Errors · Tributary API</title>
<style>${new Html(STYLE)}</style>
</head>
<body>
<main>
<h1>Errors</h1>
<p>Every error response has a code that your program can rely on, a message for people, and details. <a href="../docs">API reference</a></p>
<table>
<thead><tr><th scope="col">Status</th><th scope="col">Code</th><th scope="col">Message</th><th scope="col">When</th></tr></thead>
<tbody>
${rows}
</tbody>
</table>
</main>
</body>
</html>
`.text;
}
