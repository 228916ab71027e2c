// The frame of every page of the site: header with search, navigation, content. Pure.
import { FAVICON_SVG } from '../../../platform/pages/favicon.ts';
import { Html, html } from '../../../platform/pages/html.ts';
import type { Navigation } from './navigation.ts';

export type DocsPage = {
  readonly title: string;
  /** From the root of the site, for example `docs/errors`. Its depth decides about relative addresses. */
  readonly path: string;
  readonly content: Html;
  readonly navigation: Navigation;
};

const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join('; ');

export const DOCS_HEADERS: Readonly<Record<string, string>> = {
  'content-security-policy': POLICY,
  'cache-control': 'no-cache',
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
};

export function renderPage({ title, path, content, navigation }: DocsPage): string {
  const root = rootOf(path);
  return html`<!doctype html>
<html lang="en" data-root="${root}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title} · Tributary</title>
<link rel="icon" href="${root}favicon.svg" type="image/svg+xml">
<link rel="stylesheet" href="${root}docs/site.css">
<script src="${root}docs/site.js" defer></script>
</head>
<body>
<a class="skip" href="#content">Skip to content</a>
<header class="top">
<a class="product" href="${root}docs">${new Html(FAVICON_SVG)}<span>Tributary</span> <span class="faint">Docs</span></a>
<div class="search" role="search"><label class="hidden" for="search">Search the docs</label>
<input id="search" type="search" placeholder="Search (press /)" autocomplete="off" aria-controls="found" disabled>
<ul id="found" hidden></ul><p id="count" class="hidden" role="status"></p></div>
<nav class="links" aria-label="Other pages"><a href="${root}dashboard">Dashboard</a><a href="${root}v1/openapi.json">OpenAPI</a></nav>
<button type="button" id="theme" hidden>Dark</button>
</header>
<div class="frame">
<details class="side" open><summary>Pages</summary>
<nav aria-label="Docs">${navigation.map(
    ({ title: section, pages }) => html`<h2>${section}</h2>
<ul>${pages.map(
      (page) =>
        html`<li><a href="${root}${page.path}"${page.path === path ? html` aria-current="page"` : null}>${page.title}</a></li>
`,
    )}</ul>
`,
  )}</nav></details>
<main id="content" tabindex="-1">${content}${neighbours(navigation, path, root)}</main>
</div>
</body>
</html>
`.text;
}

/** Relative, so that the site also works below a path of a proxy. */
export function rootOf(path: string): string {
  return '../'.repeat(path.split('/').length - 1) || './';
}

function neighbours(navigation: Navigation, path: string, root: string): Html | null {
  const pages = navigation.flatMap((section) => section.pages);
  const index = pages.findIndex((page) => page.path === path);
  const [before, after] = index === -1 ? [] : [pages[index - 1], pages[index + 1]];
  if (before === undefined && after === undefined) return null;
  return html`<nav class="neighbours" aria-label="Previous and next page">${
    before
      ? html`<a href="${root}${before.path}"><span class="faint">Previous</span> ${before.title}</a>`
      : html`<span></span>`
  }${after ? html`<a class="next" href="${root}${after.path}"><span class="faint">Next</span> ${after.title}</a>` : null}</nav>`;
}
