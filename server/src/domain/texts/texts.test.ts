import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { en } from './en.ts';
import { chooseLanguage, formatDay, LANGUAGES, TEXTS, type TextKey, translateTo } from './index.ts';

const placeholdersOf = (text: string) => [...new Set(text.match(/\{\w+\}/g))].sort();

/** Words of English that no other language here has. */
const ENGLISH_WORDS = /\b(the|your|you|this|that|and|with|from|share)\b/i;
const SAME_AS_ENGLISH = new Set(['de portal.export_as', 'de home.dashboard', 'nl home.dashboard']);

describe('texts', () => {
  for (const language of LANGUAGES)
    it(`${language} has every text with the same placeholders`, () => {
      const texts = TEXTS[language];
      assert.deepEqual(Object.keys(texts).sort(), Object.keys(en).sort());
      for (const key of Object.keys(en) as TextKey[]) {
        assert.notEqual(texts[key].trim(), '', key);
        assert.deepEqual(placeholdersOf(texts[key]), placeholdersOf(en[key]), key);
      }
    });

  for (const language of LANGUAGES.filter((code) => code !== 'en'))
    it(`${language} has no English text`, () => {
      for (const key of Object.keys(en) as TextKey[]) {
        const text = TEXTS[language][key];
        assert.ok(text !== en[key] || SAME_AS_ENGLISH.has(`${language} ${key}`), `${key}: ${text}`);
        assert.doesNotMatch(text.replace(/\{\w+\}/g, ''), ENGLISH_WORDS, key);
      }
    });

  it('writes dates in each language', () => {
    const day = new Date('2026-03-05T12:00:00Z');
    assert.deepEqual(
      LANGUAGES.map((language) => formatDay(language, day)),
      [
        '5 March 2026',
        '5. März 2026',
        '5 mars 2026',
        '5 de marzo de 2026',
        '5 marzo 2026',
        '5 maart 2026',
        '5 de março de 2026',
        '2026年3月5日',
      ],
    );
  });

  it('fills placeholders', () => {
    assert.equal(translateTo('en')('page.back', { account: 'Pulse' }), 'Back to Pulse');
  });
});

describe('chooseLanguage', () => {
  it('takes the best known language, and English otherwise', () => {
    assert.equal(chooseLanguage('de-CH, en;q=0.5'), 'de');
    assert.equal(chooseLanguage('en;q=0.5, de;q=0.8'), 'de');
    assert.equal(chooseLanguage('de;q=0, en'), 'en');
    assert.equal(chooseLanguage('pt-BR,pt;q=0.9,en;q=0.8'), 'pt');
    assert.equal(chooseLanguage('ko, ja;q=0.7'), 'ja');
    for (const header of [undefined, '', '*', 'xx']) assert.equal(chooseLanguage(header), 'en');
  });
});
