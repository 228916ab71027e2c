// One guide as a page. Pure.
import { html } from '../../../platform/pages/html.ts';
import { type Guide, isGuide } from './guides.ts';
import { type DocsPage, rootOf } from './layout.ts';
import type { Navigation } from './navigation.ts';
import { renderMarkdown } from './render-markdown.ts';

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
