// Serves the uploaded logos of accounts. The name of a file is the hash of its content, so browsers may keep it.
import type { RawRoute } from '../../../platform/http/raw-route.ts';
import { readLogo } from './branding-store.ts';

const FILE = /^([0-9a-f]{32})\.(png|jpg|webp)$/;

export const logoRoutes: readonly RawRoute[] = [
  {
    methods: ['GET'],
    path: '/logos/:file',
    params: { file: 'plain' },
    maxBodyBytes: 0,
    isRateLimited: true,
    showsHealthData: false,
    async handle({ db }, { params }) {
      const [, hash] = FILE.exec(params.file ?? '') ?? [];
      const logo = hash === undefined ? null : await readLogo(db, hash);
      if (logo === null) return { status: 404, headers: { 'cache-control': 'no-store' } };
      return {
        status: 200,
        headers: {
          'content-type': logo.mediaType,
          'content-security-policy': "default-src 'none'; sandbox",
          'cache-control': 'public, max-age=31536000, immutable',
          'cross-origin-resource-policy': 'cross-origin',
          'x-content-type-options': 'nosniff',
        },
        body: Buffer.from(logo.image),
      };
    },
  },
];
