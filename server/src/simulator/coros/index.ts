// COROS' open API: a watch with workouts and thin daily summaries. Every answer is HTTP 200 with a result code.
import type { ProviderDialect } from '../dialect.ts';
import { dataRoutes } from './data-routes.ts';
import { replyResult } from './envelope.ts';
import { corosOAuth, linkRoutes } from './oauth.ts';
import { corosWebhooks } from './webhooks.ts';

export const corosDialect: ProviderDialect = {
  id: 'coros',
  displayName: 'COROS',
  device: 'watch',
  oauth: corosOAuth,
  routes: [...dataRoutes, ...linkRoutes],
  readToken: ({ query }) => query.get('token') ?? '',
  limits: [{ per: 'application', seconds: 60, requests: () => 60 }],
  refuse(refusal) {
    if (refusal === 'unauthorized' || refusal === 'forbidden') return replyResult('5006', 'token is invalid');
    return refusal === 'not_found' ? { status: 404 } : replyResult('5016', 'system is busy');
  },
  webhooks: corosWebhooks,
};
