// Parts that hosted pages share: the account's name and logo, the sign of an outcome, and the links at the end.
import type { Branding } from '../../domain/branding/branding.ts';
import { Html, html } from './html.ts';
import type { PageContext } from './page-context.ts';

export type Tone = 'success' | 'failure' | 'expired';

const SIGNS: Readonly<Record<Tone, Html>> = {
  success: new Html('<path d="M5 12.5l4.5 4.5L19 7.5"/>'),
  failure: new Html('<path d="M12 6v7.5M12 18v.01"/>'),
  expired: new Html('<circle cx="12" cy="12" r="8"/><path d="M12 7.5V12l3 2"/>'),
};

/** A shape and a color, so that the outcome is visible before a word is read. */
export function outcomeSign(tone: Tone): Html {
  return html`<p class="outcome ${tone}" aria-hidden="true"><svg viewBox="0 0 24 24">${SIGNS[tone]}</svg></p>`;
}

export function brandLogo({ displayName, logoUrl }: Branding): Html {
  return logoUrl === null
    ? html`<span class="mark" aria-hidden="true">${[...displayName][0]?.toUpperCase() ?? ''}</span>`
    : html`<img class="own" src="${logoUrl}" alt="" referrerpolicy="no-referrer">`;
}

export function brandRow(brand: Branding | null): Html | null {
  return brand === null ? null : html`<p class="brand">${brandLogo(brand)}<span>${brand.displayName}</span></p>`;
}

export function pageFooter({ brand, t }: PageContext): Html | null {
  const links = [
    [brand?.privacyUrl, t('page.privacy')],
    [brand?.supportUrl, t('page.support')],
  ] as const;
  const shown = links.flatMap(([url, label]) =>
    url == null ? [] : [html`<a href="${url}" rel="noopener noreferrer" target="_blank">${label}</a>`],
  );
  return shown.length === 0 ? null : html`<footer><nav>${shown}</nav></footer>`;
}
