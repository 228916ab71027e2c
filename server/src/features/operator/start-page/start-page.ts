// The start page: what the service is, and where to go. Pure.
import type { TextKey } from '../../../domain/texts/index.ts';
import type { RawReply } from '../../../platform/http/raw-route.ts';
import { FAVICON_SVG } from '../../../platform/pages/favicon.ts';
import { hostedPage } from '../../../platform/pages/hosted-page.ts';
import { Html, html } from '../../../platform/pages/html.ts';
import type { PageContext } from '../../../platform/pages/page-context.ts';
import { PAGE_STYLE } from '../../../platform/pages/page-style.ts';

type Destination = 'home.dashboard' | 'home.docs';

/** Relative, so that they also work below a path of a proxy. */
const DESTINATIONS: readonly (readonly [Destination, string])[] = [
  ['home.dashboard', 'dashboard'],
  ['home.docs', 'docs'],
];

const STYLE = `${PAGE_STYLE}
.product { display: flex; align-items: center; gap: 0.75rem; margin: 0 0 0.75rem; }
.product svg { width: 2.5rem; height: 2.5rem; }
.product h1 { margin: 0; font-size: 1.625rem; }
.places { display: grid; gap: 0.5rem; list-style: none; margin: 1.25rem 0; padding: 0; }
.places a { display: block; padding: 0.75rem 1rem; border: 1px solid var(--line); border-radius: 0.75rem; color: var(--ink); text-decoration: none; }
.places a:hover { border-color: var(--accent); }
.places strong { display: block; color: var(--accent); }
.places span { color: var(--muted); font-size: 0.9375rem; }
`;

export function startPage(context: PageContext, headers: Readonly<Record<string, string>>): RawReply {
  const { t } = context;
  const what = (place: Destination): TextKey => `${place}.what`;
  const body = html`<div class="product">${new Html(FAVICON_SVG)}<h1>Tributary</h1></div>
<p>${t('home.what')}</p>
<nav><ul class="places">${DESTINATIONS.map(
    ([place, url]) => html`<li><a href="${url}"><strong>${t(place)}</strong><span>${t(what(place))}</span></a></li>
`,
  )}</ul></nav>
<p class="muted">${t('home.visitor')}</p>`;
  return hostedPage({ status: 200, title: 'Tributary', body, context, style: STYLE, headers });
}
