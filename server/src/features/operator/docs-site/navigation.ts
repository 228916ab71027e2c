// The navigation: the guides by section, and the reference after the section of the API. Pure.
import type { Guide } from './guides.ts';
import type { ApiReference } from './reference/read-operations.ts';

type PageLink = { readonly title: string; readonly path: string };
export type Navigation = readonly { readonly title: string; readonly pages: readonly PageLink[] }[];

export const REFERENCE_SECTION = 'API';

export function buildNavigation(guides: readonly Guide[], reference: ApiReference): Navigation {
  const titles = [...new Set(guides.map(({ section }) => section))];
  return titles.map((title) => ({
    title,
    pages: [
      ...guides
        .filter(({ section }) => section === title)
        .map((guide) => ({ title: guide.title, path: `docs/${guide.name}` })),
      ...(title === REFERENCE_SECTION
        ? reference.map((group) => ({ title: group.title, path: `docs/reference/${group.name}` }))
        : []),
    ],
  }));
}
