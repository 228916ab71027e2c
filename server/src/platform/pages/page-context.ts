// Who a page is for: its language, its texts, and the account that it appears under.
import type { Branding } from '../../domain/branding/branding.ts';
import {
  chooseLanguage,
  findLanguage,
  formatDay,
  type Language,
  type Translate,
  translateTo,
} from '../../domain/texts/index.ts';
import type { RawRequest } from '../http/raw-exchange.ts';

export type PageContext = {
  readonly language: Language;
  readonly t: Translate;
  /** Null: the account is not known. */
  readonly brand: Branding | null;
};

/** `?lang=` wins over a stored language, which wins over Accept-Language. */
export function readLanguage(
  { query, headers }: Pick<RawRequest, 'query' | 'headers'>,
  stored: string | null = null,
): Language {
  return findLanguage(query.get('lang')) ?? findLanguage(stored) ?? chooseLanguage(headers['accept-language']);
}

export function createPageContext(language: Language, brand: Branding | null = null): PageContext {
  return { language, brand, t: translateTo(language) };
}

export function dayOf({ language }: PageContext, at: Date): string {
  return formatDay(language, at);
}
