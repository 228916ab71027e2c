// A mark for each provider, drawn by us because provider logos are trademarks. Each differs in shape and in color.
import type { CloudProviderId } from '../../../domain/provider-ids.ts';
import type { RawRoute } from '../../../platform/http/raw-route.ts';
import { findProvider } from '../../../providers/registry.ts';

const SUFFIX = '.svg';

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
        body: drawMark(provider.id, provider.displayName),
      };
    },
  },
];

type Mark = { readonly background: string; readonly drawing: string };

/** The device or the measurement that people know the provider for, in white lines. */
const MARKS: Readonly<Record<CloudProviderId, Mark>> = {
  oura: {
    background: '#3d4450', // a ring, seen from the side
    drawing:
      '<ellipse cx="32" cy="34" rx="15" ry="16"/><ellipse cx="32" cy="34" rx="9.5" ry="10.5"/><path d="M25 14h14"/>',
  },
  whoop: {
    background: '#a3123a', // a strap without a display
    drawing:
      '<path d="M22 10v44M42 10v44"/><rect x="19" y="24" width="26" height="16" rx="4"/><path d="M25 32h3l3-4 3 8 2-4h3"/>',
  },
  withings: {
    background: '#0a7c66', // a scale
    drawing:
      '<rect x="13" y="14" width="38" height="37" rx="8"/><path d="M24 27a9 9 0 0 1 16 0z"/><path d="M32 27l3-5"/>',
  },
  garmin: {
    background: '#1256a8', // a watch with a route
    drawing: '<circle cx="32" cy="32" r="14"/><path d="M26 19l1-8h10l1 8M26 45l1 8h10l1-8M25 36l5-7 4 4 5-6"/>',
  },
  polar: {
    background: '#c2410c', // a chest strap with a heart rate
    drawing:
      '<path d="M8 26h12M44 26h12"/><rect x="20" y="18" width="24" height="16" rx="8"/><path d="M10 46h12l4-6 6 12 5-9 3 3h14"/>',
  },
  google_health: {
    background: '#6a3fb5', // a heart with a plus
    drawing:
      '<path d="M32 50S13 39 13 26.5A9.5 9.5 0 0 1 32 22a9.5 9.5 0 0 1 19 4.5C51 39 32 50 32 50z"/><path d="M32 27v12M26 33h12"/>',
  },
  strava: {
    background: '#9a5b00', // a route over hills
    drawing: '<path d="M10 48l14-24 9 14 6-9 15 19z"/><circle cx="46" cy="17" r="5"/>',
  },
  ultrahuman: {
    background: '#5b5f17', // a ring on a finger, and a drop
    drawing:
      '<path d="M24 52V18a8 8 0 0 1 16 0v34"/><path d="M19 36h26v8H19z"/><path d="M50 14c4 5 5 7 5 9a5 5 0 0 1-10 0c0-2 1-4 5-9z"/>',
  },
  concept2: {
    background: '#0f6f8c', // the seat and the chain of an erg
    drawing:
      '<path d="M10 46h44M14 46l4-6M50 46l-4-6"/><rect x="26" y="32" width="12" height="6" rx="3"/><circle cx="46" cy="24" r="8"/><path d="M16 24h22"/>',
  },
  coros: {
    background: '#8a5a00', // a watch with a crown and a peak
    drawing:
      '<rect x="18" y="16" width="26" height="32" rx="9"/><path d="M44 26h4v8h-4M23 39l6-10 4 5 3-4 4 9M24 16l1-7h12l1 7M24 48l1 7h12l1-7"/>',
  },
  suunto: {
    background: '#2f5d3a', // a compass
    drawing:
      '<circle cx="32" cy="32" r="19"/><path d="M39 25l-4 10-10 4 4-10z"/><path d="M32 9v5M32 50v5M9 32h5M50 32h5"/>',
  },
  wahoo: {
    background: '#0b6fae', // a bike computer
    drawing: '<rect x="20" y="10" width="24" height="38" rx="5"/><path d="M25 18h14M25 26h14M25 34h8M28 54h8"/>',
  },
  dexcom: {
    background: '#3f6212', // a drop with a curve
    drawing: '<path d="M32 10S15 29 15 39a17 17 0 0 0 34 0C49 29 32 10 32 10z"/><path d="M21 41h5l4-7 5 11 3-4h5"/>',
  },
};

function drawMark(id: CloudProviderId, name: string): string {
  const { background, drawing } = MARKS[id];
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64" role="img" aria-label="${name}"><rect width="64" height="64" rx="16" fill="${background}"/><g fill="none" stroke="#fff" stroke-width="3" stroke-linecap="round" stroke-linejoin="round">${drawing}</g></svg>
`;
}
