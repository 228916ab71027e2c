// Serves the dashboard at /dashboard. Addresses of pages all get index.html; the application reads the address.
import { AppError } from '../../../platform/errors.ts';
import type { RawReply, RawRequest, RawRoute } from '../../../platform/http/raw-route.ts';
import { hostedPage } from '../../../platform/pages/hosted-page.ts';
import { html } from '../../../platform/pages/html.ts';
import { createPageContext } from '../../../platform/pages/page-context.ts';
import type { Services } from '../../../platform/services.ts';
import type { ServedFile } from './dashboard-files.ts';

const PREFIX = '/dashboard';
const API_PREFIX = `${PREFIX}/api`;
const RELOAD_SECONDS = '2';

const TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
};

/** Nothing from elsewhere, no inline script or style, and no text that becomes markup or script. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
].join('; ');

export const dashboardFileRoutes: readonly RawRoute[] = [PREFIX, `${PREFIX}/*`].map((path) => ({
  methods: ['GET'],
  path,
  params: {},
  maxBodyBytes: 0,
  isRateLimited: false, // a page is a dozen small files from memory
  showsHealthData: false,
  servesPages: true,
  handle: serveFile,
}));

async function serveFile(services: Pick<Services, 'dashboardFiles'>, request: RawRequest): Promise<RawReply> {
  if (request.path === API_PREFIX || request.path.startsWith(`${API_PREFIX}/`))
    throw new AppError('not_found', { details: { path: request.path } });
  const file = await services.dashboardFiles.readFile(
    request.path.slice(PREFIX.length + 1),
    request.headers['accept-encoding'] ?? '',
  );
  if (file === 'missing') throw new AppError('not_found', { details: { path: request.path } });
  return file === null ? notBuiltPage(services.dashboardFiles.isBuilding()) : presentFile(file);
}

function presentFile({ name, bytes, encoding }: ServedFile): RawReply {
  return {
    status: 200,
    body: bytes,
    headers: {
      'content-type': TYPES[/\.\w+$/.exec(name)?.[0] ?? ''] ?? 'application/octet-stream',
      'cache-control': cacheOf(name),
      vary: 'Accept-Encoding',
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'same-origin',
      'cross-origin-opener-policy': 'same-origin',
      'x-frame-options': 'DENY',
      ...(encoding !== null && { 'content-encoding': encoding }),
      ...(name.endsWith('.html') && { 'content-security-policy': POLICY }),
    },
  };
}

/** Names in assets/ contain a hash of their content. */
function cacheOf(name: string): string {
  if (name.startsWith('assets/')) return 'public, max-age=31536000, immutable';
  return name.endsWith('.html') ? 'no-store' : 'public, max-age=600';
}

function notBuiltPage(isBuilding: boolean): RawReply {
  const title = isBuilding ? 'The dashboard is being built' : 'The dashboard is not built';
  const body = isBuilding
    ? html`<h1>${title}</h1><p>This takes a few seconds after an update. The page reloads by itself.</p>`
    : html`<h1>${title}</h1><p>Run <code>npm run build</code>, then reload this page. The API is not affected.</p>`;
  return hostedPage({
    status: 503,
    title,
    body,
    context: createPageContext('en'),
    headers: { 'retry-after': RELOAD_SECONDS, ...(isBuilding && { refresh: RELOAD_SECONDS }) },
  });
}
