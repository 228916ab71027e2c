// The languages of hosted pages and mails, and how one is chosen. Pure.
import type { en } from './en.ts';

export type TextKey = keyof typeof en;
export type Texts = Readonly<Record<TextKey, string>>;

export const LANGUAGES = ['en', 'de', 'fr', 'es', 'it', 'nl', 'pt', 'ja'] as const;
export type Language = (typeof LANGUAGES)[number];

export function findLanguage(text: string | null): Language | null {
  const [code] = (text ?? '').trim().toLowerCase().split(/[-_]/);
  return LANGUAGES.find((language) => language === code) ?? null;
}

/** The best language of an Accept-Language header (RFC 9110, 12.5.4); English if none fits. */
export function chooseLanguage(header: string | undefined): Language {
  const [best] = (header ?? '')
    .split(',')
    .map((range) => {
      const [tag = '', ...parameters] = range.split(';');
      const quality = parameters
        .map((text) => /^\s*q=([\d.]+)\s*$/.exec(text)?.[1])
        .find((found) => found !== undefined);
      return { language: findLanguage(tag), quality: quality === undefined ? 1 : Number(quality) };
    })
    .filter(({ language, quality }) => language !== null && quality > 0)
    .sort((one, other) => other.quality - one.quality);
  return best?.language ?? 'en';
}

type Values = Readonly<Record<string, string | number>>;

/** Returns a text with its placeholders filled. */
export type Translate = (key: TextKey, values?: Values) => string;

export function fillText(text: string, values: Values): string {
  return text.replace(/\{(\w+)\}/g, (whole, name: string) => String(values[name] ?? whole));
}
