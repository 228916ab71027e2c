// The pages of the guides: the list of all, each one, and that of an unknown address. Pure.
import { html } from '../../../platform/pages/html.ts';
import { type Guide, isGuide } from './guides.ts';
import { type DocsPage, rootOf } from './layout.ts';
import { type Navigation, REFERENCE_SECTION } from './navigation.ts';
import type { ApiReference } from './reference/read-operations.ts';
import { renderMarkdown } from './render-markdown.ts';

const HOME = 'docs';

export function homePage(guides: readonly Guide[], reference: ApiReference, navigation: Navigation): DocsPage {
  const root = rootOf(HOME);
  const card = (path: string, title: string, description: string) =>
    html`<li><a href="${root}${path}">${title}</a><p>${description}</p></li>
`;
  const content = html`<h1>Tributary docs</h1>
<p class="lead">Phones and wearable clouds send their data; you read one consolidated, explained value per person, metric and day.</p>
${navigation.map(
  ({ title }) => html`<section aria-label="${title}"><h2>${title}</h2>
<ul class="cards">${guides.filter(({ section }) => section === title).map((guide) => card(`docs/${guide.name}`, guide.title, guide.description))}
${
  title === REFERENCE_SECTION
    ? reference.map((group) => card(`docs/reference/${group.name}`, group.title, group.description))
    : null
}</ul></section>
`,
)}`;
  return { title: 'Docs', path: HOME, navigation, content };
}

export function guidePage(guide: Guide, navigation: Navigation): DocsPage {
  const path = `docs/${guide.name}`;
  const root = rootOf(path);
  return {
    title: guide.title,
    path,
    navigation,
    content: html`<article class="prose">${renderMarkdown(guide.text, (target) => linkOf(target, root))}</article>
<p class="faint source"><a href="${root}${path}.md">This page as Markdown</a></p>`,
  };
}

/** Null: the target is a file of the repository that the service does not serve. */
function linkOf(target: string, root: string): string | null {
  if (/^(https?:\/\/|#)/.test(target)) return target;
  if (target === 'openapi.json') return `${root}v1/openapi.json`;
  const [, name = '', part = ''] = /^(?:\.\.\/|docs\/)?([\w-]+)\.md(#.*)?$/.exec(target) ?? [];
  return isGuide(name.toLowerCase()) ? `${root}docs/${name.toLowerCase()}${part}` : null;
}

/** For an address that is not part of the site. */
export function unknownPage(path: string, navigation: Navigation): DocsPage {
  return {
    title: 'Page not found',
    path,
    navigation,
    content: html`<h1>Page not found</h1>
<p class="lead">The docs have no page at this address. Search for it above, or start at the <a href="${rootOf(path)}docs">list of all guides</a>.</p>`,
  };
}
