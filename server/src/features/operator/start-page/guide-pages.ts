// The list of guides, and one guide. They are in English. Pure.
import type { RawReply } from '../../../platform/http/raw-route.ts';
import { hostedPage } from '../../../platform/pages/hosted-page.ts';
import { html } from '../../../platform/pages/html.ts';
import { createPageContext } from '../../../platform/pages/page-context.ts';
import { PAGE_STYLE } from '../../../platform/pages/page-style.ts';
import type { Guide } from './guides.ts';
import { renderMarkdown } from './render-markdown.ts';

const context = createPageContext('en');

const STYLE = `${PAGE_STYLE}
main, footer { max-width: 60rem; }
main { padding-bottom: 1.5rem; }
.way { display: flex; flex-wrap: wrap; gap: 0.25rem 1.25rem; margin: 0 0 1rem; font-size: 0.9375rem; }
h1 { font-size: 1.75rem; }
h2 { margin: 2rem 0 0.5rem; font-size: 1.25rem; }
h3 { margin: 1.5rem 0 0.375rem; font-size: 1.0625rem; }
main li { margin: 0.25rem 0; }
.guides { list-style: none; padding: 0; }
.guides li { margin: 0 0 0.875rem; }
.guides a { font-weight: 600; }
.guides p { margin: 0; color: var(--muted); font-size: 0.9375rem; }
pre, .table { overflow-x: auto; margin: 0 0 1rem; }
pre { padding: 0.75rem 1rem; border-radius: 0.625rem; background: var(--ground); font-size: 0.8125rem; line-height: 1.45; overflow-wrap: normal; }
code { font-family: ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; }
:not(pre) > code { padding: 0.0625rem 0.25rem; border-radius: 0.25rem; background: var(--ground); font-size: 0.875em; }
table { border-collapse: collapse; font-size: 0.9375rem; overflow-wrap: break-word; }
th, td { padding: 0.375rem 0.75rem 0.375rem 0; border-bottom: 1px solid var(--line); text-align: left; vertical-align: top; }
pre:focus-visible, .table:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
`;

export function guideListPage(guides: readonly Guide[]): RawReply {
  const body = html`<nav class="way" aria-label="Breadcrumb"><a href="./">Start</a></nav>
<h1>Guides</h1>
<ul class="guides">${guides.map(
    ({ name, title, description }) =>
      html`<li><a href="guides/${name}">${title}</a><p>${description}</p></li>
`,
  )}</ul>`;
  return hostedPage({ status: 200, title: 'Guides · Tributary', body, context, style: STYLE });
}

export function guidePage({ title, text }: Guide): RawReply {
  const body = html`<nav class="way" aria-label="Breadcrumb"><a href="../">Start</a><a href="../guides">Guides</a></nav>
${renderMarkdown(text, linkOf)}`;
  return hostedPage({ status: 200, title: `${title} · Tributary`, body, context, style: STYLE });
}

/** Null: the target is a file of the repository that the service does not serve. */
function linkOf(target: string): string | null {
  if (/^(https?:\/\/|#)/.test(target)) return target;
  if (target === 'openapi.json') return '../v1/openapi.json';
  const guide = /^([\w-]+)\.md(#.*)?$/.exec(target);
  return guide === null ? null : `${guide[1]}${guide[2] ?? ''}`;
}
