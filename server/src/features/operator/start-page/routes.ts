// The start page, the guides and the favicon.
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { DAY_SECONDS } from '../../../domain/time/durations.ts';
import { AppError } from '../../../platform/errors.ts';
import type { RawReply, RawRequest, RawRoute } from '../../../platform/http/raw-route.ts';
import { namesHtml } from '../../../platform/http/wants-page.ts';
import { FAVICON_SVG } from '../../../platform/pages/favicon.ts';
import { createPageContext, readLanguage } from '../../../platform/pages/page-context.ts';
import { guideListPage, guidePage } from './guide-pages.ts';
import { listGuides, readGuide } from './guides.ts';
import { startPage } from './start-page.ts';

const page = { methods: ['GET'], maxBodyBytes: 0, isRateLimited: true, servesPages: true } as const;

export const startPageRoutes: readonly RawRoute[] = [
  { ...page, path: '/', params: {}, handle: async (_services, request) => answerRoot(request) },
  { ...page, path: '/guides', params: {}, handle: async () => guideListPage(await listGuides()) },
  { ...page, path: '/guides/:name', params: { name: 'plain' }, handle: (_services, request) => showGuide(request) },
  { ...page, path: '/favicon.svg', params: {}, handle: async () => image('image/svg+xml', FAVICON_SVG) },
  { ...page, path: '/favicon.ico', params: {}, handle: async () => image('image/x-icon', await readIcon()) },
];

/** Programs are redirected to the API reference. The address is relative, because a proxy may serve the API below a path. */
function answerRoot(request: RawRequest): RawReply {
  const vary = { vary: 'Accept' };
  return namesHtml(request.headers.accept ?? '')
    ? startPage(createPageContext(readLanguage(request)), vary)
    : { status: 302, headers: { location: 'docs', ...vary } };
}

async function showGuide({ path: requested, params: { name = '' } }: RawRequest): Promise<RawReply> {
  const guide = await readGuide(name);
  if (guide === null) throw new AppError('not_found', { details: { path: requested } });
  return guidePage(guide);
}

function image(type: string, body: string | Buffer): RawReply {
  return {
    status: 200,
    headers: {
      'content-type': type,
      'content-security-policy': "default-src 'none'",
      'x-content-type-options': 'nosniff',
      'cache-control': `public, max-age=${DAY_SECONDS}`,
    },
    body,
  };
}

/** For browsers and tools that ask for this address without reading a page. */
function readIcon(): Promise<Buffer> {
  return readFile(path.join(import.meta.dirname, 'favicon.ico'));
}
