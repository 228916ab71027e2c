// The docs site: guides and API reference with one navigation and a search, from files of this installation alone.
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { AppError } from '../../../platform/errors.ts';
import type { RawReply, RawRequest, RawRoute } from '../../../platform/http/raw-route.ts';
import { namesHtml } from '../../../platform/http/wants-page.ts';
import type { Services } from '../../../platform/services.ts';
import { guidePage, homePage, unknownPage } from './guide-pages.ts';
import { type Guide, listGuides, readGuide } from './guides.ts';
import { DOCS_HEADERS, type DocsPage, renderPage } from './layout.ts';
import { buildNavigation } from './navigation.ts';
import { type ApiReference, readOperations } from './reference/read-operations.ts';
import { referencePage } from './reference/reference-page.ts';
import { buildSearchIndex } from './search-index.ts';

const page = {
  methods: ['GET'],
  maxBodyBytes: 0,
  isRateLimited: true,
  showsHealthData: false,
  servesPages: true,
} as const;
type ApiDescription = Pick<Services, 'openapi'>;

const MARKDOWN = '.md';

export const docsSiteRoutes: readonly RawRoute[] = [
  { ...page, path: '/docs/site.css', params: {}, handle: () => sendAsset('site.css', 'text/css') },
  { ...page, path: '/docs/site.js', params: {}, handle: () => sendAsset('site.js', 'text/javascript') },
  { ...page, path: '/docs/search.json', params: {}, handle: (services) => sendSearchIndex(services) },
  { ...page, path: '/docs/:name', params: { name: 'plain' }, handle: showGuide },
  { ...page, path: '/docs/reference/:name', params: { name: 'plain' }, handle: showReference },
];

type Site = {
  readonly guides: Guide[];
  readonly reference: ApiReference;
  /** As it is sent: making it takes 20 to 30 ms, which anyone could ask for. */
  readonly searchIndex: string;
};

/** Files of an installation change only with a restart, so each API description is read once. */
const sites = new WeakMap<object, Promise<Site>>();

function readSite(services: ApiDescription): Promise<Site> {
  const document = services.openapi();
  let site = sites.get(document);
  if (site === undefined) {
    site = listGuides().then((guides) => {
      const reference = readOperations(document);
      return { guides, reference, searchIndex: JSON.stringify(buildSearchIndex(guides, reference)) };
    });
    sites.set(document, site);
  }
  return site;
}

/** `/docs` is also part of the API, because it belongs to the addresses that the interface names. */
export async function renderDocsHome(services: ApiDescription): Promise<string> {
  const { guides, reference } = await readSite(services);
  return renderPage(homePage(guides, reference, buildNavigation(guides, reference)));
}

async function showGuide(services: ApiDescription, request: RawRequest): Promise<RawReply> {
  const { name = '' } = request.params;
  if (name === '') return { status: 308, headers: { location: '../docs', ...DOCS_HEADERS }, body: '' };
  const guide = await readGuide(name.endsWith(MARKDOWN) ? name.slice(0, -MARKDOWN.length) : name);
  if (guide === null) return answerUnknown(services, request, 'docs/unknown');
  if (name.endsWith(MARKDOWN)) return send('text/markdown', guide.text);
  const { guides, reference } = await readSite(services);
  return sendPage(guidePage(guide, buildNavigation(guides, reference)));
}

async function showReference(services: ApiDescription, request: RawRequest): Promise<RawReply> {
  const { guides, reference } = await readSite(services);
  const group = reference.find(({ name }) => name === request.params.name);
  if (group === undefined) return answerUnknown(services, request, 'docs/reference/unknown');
  return sendPage(referencePage(group, buildNavigation(guides, reference)));
}

async function sendSearchIndex(services: ApiDescription): Promise<RawReply> {
  return send('application/json', (await readSite(services)).searchIndex);
}

async function sendAsset(file: string, type: string): Promise<RawReply> {
  return send(type, await readFile(path.join(import.meta.dirname, file), 'utf8'));
}

function sendPage(page: DocsPage): RawReply {
  return send('text/html', renderPage(page));
}

function send(type: string, body: string): RawReply {
  return { status: 200, headers: { 'content-type': `${type}; charset=utf-8`, ...DOCS_HEADERS }, body };
}

/** A browser gets the frame of the site, with its search. `page` has as many parts as the address that was asked for. */
async function answerUnknown(services: ApiDescription, { path: requested, headers }: RawRequest, page: string) {
  if (!namesHtml(headers.accept ?? '')) throw new AppError('not_found', { details: { path: requested } });
  const { guides, reference } = await readSite(services);
  return { ...sendPage(unknownPage(page, buildNavigation(guides, reference))), status: 404 };
}
