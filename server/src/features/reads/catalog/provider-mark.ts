// A mark for each provider where there is no room for its name: a letter of ours, not the trademark of theirs.
import type { RawRoute } from '../../../platform/http/raw-route.ts';
import { CLOUD_PROVIDERS, findProvider } from '../../../providers/registry.ts';

const SUFFIX = '.svg';
const HUE_STEP = 137; // by the golden angle neighbours never look alike
const GROUND = 'hsl(HUE 45% 34%)'; // white on it can be read, in light and dark

export const providerMarkRoutes: readonly RawRoute[] = [
  {
    methods: ['GET'],
    path: '/providers/:file',
    params: { file: 'plain' },
    maxBodyBytes: 0,
    isRateLimited: true,
    async handle(_services, { params: { file = '' } }) {
      const provider = file.endsWith(SUFFIX) ? findProvider(file.slice(0, -SUFFIX.length)) : null;
      if (provider === null)
        return { status: 404, headers: { 'content-type': 'text/plain' }, body: 'There is no such mark.\n' };
      return {
        status: 200,
        headers: {
          'content-type': 'image/svg+xml',
          'content-security-policy': "default-src 'none'",
          'x-content-type-options': 'nosniff',
          'cache-control': 'public, max-age=86400',
        },
        body: drawMark(provider.displayName, CLOUD_PROVIDERS.indexOf(provider)),
      };
    },
  },
];

function drawMark(name: string, index: number): string {
  const ground = GROUND.replace('HUE', String((200 + index * HUE_STEP) % 360));
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64" role="img" aria-label="${name}"><circle cx="32" cy="32" r="32" fill="${ground}"/><text x="32" y="32" dy=".35em" text-anchor="middle" font-family="system-ui, sans-serif" font-size="32" font-weight="600" fill="#fff">${name.charAt(0)}</text></svg>
`;
}
