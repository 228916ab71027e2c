// GET /connect/{secret}: says who asks for what. Nothing changes by looking at it.
import type { RawReply, RawRequest } from '../../../platform/http/raw-route.ts';
import type { Services } from '../../../platform/services.ts';
import { stageOf } from './attempt.ts';
import { mintBrowserKey, readBrowserKey, writeBrowserKey } from './browser-cookie.ts';
import { consentPage, goneLinkPage } from './connection-pages.ts';
import { findAttempt } from './find-attempt.ts';

export async function askPerson(services: Services, request: RawRequest): Promise<RawReply> {
  const found = await findAttempt(services, request.params.secret ?? '');
  if ('page' in found) return found.page;
  const { attempt, asking } = found;
  const stage = stageOf(attempt, services.clock.now());
  if (stage !== 'open') return goneLinkPage(stage === 'expired' ? 'expired' : 'used');
  const key = readBrowserKey(attempt, request) ?? mintBrowserKey();
  return consentPage(asking, {
    formTargets: listFormTargets(attempt.redirectUrl),
    headers: { 'set-cookie': writeBrowserKey(services, attempt, key) },
  });
}

/** A browser follows a form only to where its page allows, over all redirects: the provider's pages, and the app in the end. */
function listFormTargets(redirectUrl: string | null): string[] {
  const scheme = redirectUrl === null ? 'https:' : new URL(redirectUrl).protocol;
  return [...new Set(['https:', scheme])];
}
