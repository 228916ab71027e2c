import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { en } from './en.ts';
import { chooseLanguage, LANGUAGES, TEXTS, type TextKey, translateTo } from './index.ts';

const placeholdersOf = (text: string) => [...new Set(text.match(/\{\w+\}/g))].sort();

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

  it('fills placeholders', () => {
    assert.equal(translateTo('en')('page.back', { account: 'Pulse' }), 'Back to Pulse');
  });
});

describe('chooseLanguage', () => {
  it('takes the best known language, and English otherwise', () => {
    assert.equal(chooseLanguage('de-CH, en;q=0.5'), 'de');
    assert.equal(chooseLanguage('en;q=0.5, de;q=0.8'), 'de');
    assert.equal(chooseLanguage('de;q=0, en'), 'en');
    for (const header of [undefined, '', '*', 'xx']) assert.equal(chooseLanguage(header), 'en');
  });
});
