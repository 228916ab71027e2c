// A mark for each provider, drawn by us because provider logos are trademarks. Each differs in shape and in color.
import type { RawRoute } from '../../../platform/http/raw-route.ts';
import type { CloudProvider } from '../../../providers/contract.ts';
import { findProvider } from '../../../providers/registry.ts';

const SUFFIX = '.svg';

export const providerIconRoutes: readonly RawRoute[] = [
  {
    methods: ['GET'],
    path: '/providers/:file',
    params: { file: 'plain' },
    maxBodyBytes: 0,
    isRateLimited: true,
    showsHealthData: false,
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
        body: drawMark(provider),
      };
    },
  },
];

function drawMark({ displayName: name, about }: CloudProvider): string {
  const { background, drawing } = about.mark;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64" role="img" aria-label="${name}"><rect width="64" height="64" rx="16" fill="${background}"/><g fill="none" stroke="#fff" stroke-width="3" stroke-linecap="round" stroke-linejoin="round">${drawing}</g></svg>
`;
}
