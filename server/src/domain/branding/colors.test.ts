import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { contrastOf, makeReadable, parseColor, READABLE_CONTRAST, textColorOn } from './colors.ts';

describe('colors', () => {
  it('reads long and short notation in any case', () => {
    assert.equal(parseColor('#0B6A8F'), '#0b6a8f');
    assert.equal(parseColor(' #fA3 '), '#ffaa33');
    for (const text of ['0b6a8f', '#12345', 'red', '#0b6a8f80', 'rgb(1,2,3)']) assert.equal(parseColor(text), null);
  });

  it('computes the contrast of WCAG 2', () => {
    assert.equal(contrastOf('#000000', '#ffffff'), 21);
    assert.equal(contrastOf('#777777', '#777777'), 1);
    assert.ok(Math.abs(contrastOf('#767676', '#ffffff') - 4.54) < 0.01);
  });

  it('puts light text on dark colors and dark text on light ones', () => {
    assert.equal(textColorOn('#0b2d8f'), '#ffffff');
    assert.equal(textColorOn('#ffe14d'), '#10181f');
  });

  const levels = ['00', '55', 'aa', 'ff'];
  const every = levels.flatMap((r) => levels.flatMap((g) => levels.map((b) => `#${r}${g}${b}`)));

  it('is readable for every color, as text on a button and as a link on light and dark pages', () => {
    for (const color of every) {
      assert.ok(contrastOf(textColorOn(color), color) >= 4.2, color);
      for (const page of ['#ffffff', '#18242d'])
        assert.ok(contrastOf(makeReadable(color, page), page) >= READABLE_CONTRAST, `${color} on ${page}`);
    }
  });

  it('leaves a readable color as it is', () => {
    assert.equal(makeReadable('#0b6a8f', '#ffffff'), '#0b6a8f');
  });
});
