import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { html } from './html.ts';

describe('html', () => {
  it('escapes what is put in, in text and in attributes', () => {
    const { text } = html`<a title="${`"><script>'`}">${'a & b'}</a>`;
    assert.equal(text, '<a title="&#34;&#62;&#60;script&#62;&#39;">a &#38; b</a>');
  });

  it('leaves HTML as it is, joins lists, and writes nothing for null', () => {
    const items = ['<1>', '2'].map((item) => html`<li>${item}</li>`);
    assert.equal(html`<ul>${items}</ul>${null}${3}`.text, '<ul><li>&#60;1&#62;</li><li>2</li></ul>3');
  });
});
