// How the user opened a link: in which language, and whether in a popup of the app's page. Pure.
import { findLanguage } from '../../../domain/texts/index.ts';
import type { RawRequest } from '../../../platform/http/raw-route.ts';
import type { Visit } from './authorization-request.ts';

export function readVisit({ query }: Pick<RawRequest, 'query'>): Visit {
  return { isPopup: query.get('display') === 'popup', language: findLanguage(query.get('lang')) };
}

/** For a link to the next page of the same visit. Empty or with the question mark. */
export function writeVisit({ isPopup, language }: Visit): string {
  const query = new URLSearchParams({ ...(isPopup && { display: 'popup' }), ...(language && { lang: language }) });
  return query.size === 0 ? '' : `?${query}`;
}

/** A popup must keep the connection to the window that opened it, to report its result. */
export function popupHeaders({ isPopup }: Visit): Readonly<Record<string, string>> {
  return isPopup ? { 'cross-origin-opener-policy': 'unsafe-none' } : {};
}
