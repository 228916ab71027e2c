// The start page and the favicon.
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { DAY_SECONDS } from '../../../domain/time/durations.ts';
import type { RawReply, RawRequest, RawRoute } from '../../../platform/http/raw-route.ts';
import { namesHtml } from '../../../platform/http/wants-page.ts';
import { FAVICON_SVG } from '../../../platform/pages/favicon.ts';
import { createPageContext, readLanguage } from '../../../platform/pages/page-context.ts';
import { startPage } from './start-page.ts';

const page = {
  methods: ['GET'],
  maxBodyBytes: 0,
  isRateLimited: true,
  showsHealthData: false,
  servesPages: true,
} as const;

export const startPageRoutes: readonly RawRoute[] = [
  { ...page, path: '/', params: {}, handle: async (_services, request) => answerRoot(request) },
  { ...page, path: '/favicon.svg', params: {}, handle: async () => image('image/svg+xml', FAVICON_SVG) },
  { ...page, path: '/favicon.ico', params: {}, handle: async () => image('image/x-icon', await readIcon()) },
];

/** Programs are redirected to the docs. The address is relative, because a proxy may serve the API below a path. */
function answerRoot(request: RawRequest): RawReply {
  const vary = { vary: 'Accept' };
  return namesHtml(request.headers.accept ?? '')
    ? startPage(createPageContext(readLanguage(request)), vary)
    : { status: 302, headers: { location: 'docs', ...vary } };
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
