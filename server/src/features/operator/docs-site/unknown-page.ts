// The page of an address that is not part of the site. Pure.
import { html } from '../../../platform/pages/html.ts';
import { type DocsPage, rootOf } from './layout.ts';
import type { Navigation } from './navigation.ts';

export function unknownPage(path: string, navigation: Navigation): DocsPage {
  return {
    title: 'Page not found',
    path,
    navigation,
    content: html`<h1>Page not found</h1>
<p class="lead">The docs have no page at this address. Search for it above, or start at the <a href="${rootOf(path)}docs">list of all guides</a>.</p>`,
  };
}
