// A small icon for each provider: the first letter of its name, because provider logos are trademarks.
import type { RawRoute } from '../../../platform/http/raw-route.ts';
import { CLOUD_PROVIDERS, findProvider } from '../../../providers/registry.ts';

const SUFFIX = '.svg';
const HUE_STEP = 137; // the golden angle, so that neighbouring providers differ in color
const BACKGROUND = 'hsl(HUE 45% 34%)'; // dark enough for white text

export const providerIconRoutes: readonly RawRoute[] = [
  {
    methods: ['GET'],
    path: '/providers/:file',
    params: { file: 'plain' },
    maxBodyBytes: 0,
    isRateLimited: true,
    async handle(_services, { params: { file = '' } }) {
      const provider = file.endsWith(SUFFIX) ? findProvider(file.slice(0, -SUFFIX.length)) : null;
      if (provider === null)
        return { status: 404, headers: { 'content-type': 'text/plain' }, body: 'Provider icon not found.\n' };
      return {
        status: 200,
        headers: {
          'content-type': 'image/svg+xml',
          'content-security-policy': "default-src 'none'",
          'x-content-type-options': 'nosniff',
          'cache-control': 'public, max-age=86400',
        },
        body: drawIcon(provider.displayName, CLOUD_PROVIDERS.indexOf(provider)),
      };
    },
  },
];

function drawIcon(name: string, index: number): string {
  const background = BACKGROUND.replace('HUE', String((200 + index * HUE_STEP) % 360));
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64" role="img" aria-label="${name}"><circle cx="32" cy="32" r="32" fill="${background}"/><text x="32" y="32" dy=".35em" text-anchor="middle" font-family="system-ui, sans-serif" font-size="32" font-weight="600" fill="#fff">${name.charAt(0)}</text></svg>
`;
}
