// The first page of the site: every guide with a line about it. Pure.
import { html } from '../../../platform/pages/html.ts';
import type { Guide } from './guides.ts';
import { type DocsPage, rootOf } from './layout.ts';
import { type Navigation, REFERENCE_SECTION } from './navigation.ts';
import type { ApiReference } from './reference/read-operations.ts';

const PATH = 'docs';

export function homePage(guides: readonly Guide[], reference: ApiReference, navigation: Navigation): DocsPage {
  const root = rootOf(PATH);
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
  return { title: 'Docs', path: PATH, navigation, content };
}
