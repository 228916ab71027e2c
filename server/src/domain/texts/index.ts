// Texts of hosted pages and mails in every language.
import { de } from './de.ts';
import { en } from './en.ts';
import { es } from './es.ts';
import { fr } from './fr.ts';
import { it } from './it.ts';
import { ja } from './ja.ts';
import { fillText, type Language, type Texts, type Translate } from './languages.ts';
import { nl } from './nl.ts';
import { pt } from './pt.ts';

export { chooseLanguage, findLanguage, LANGUAGES, type Language, type TextKey, type Translate } from './languages.ts';

export const TEXTS: Readonly<Record<Language, Texts>> = { en, de, fr, es, it, nl, pt, ja };

export function translateTo(language: Language): Translate {
  const texts = TEXTS[language];
  return (key, values = {}) => fillText(texts[key], values);
}

/** Days are in UTC, because the reader's time zone is not known. */
export function formatDay(language: Language, at: Date): string {
  const tag = language === 'en' ? 'en-GB' : language;
  return at.toLocaleDateString(tag, { day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' });
}
