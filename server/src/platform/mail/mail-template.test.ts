import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { writeMail } from './mail-template.ts';

const brand = { displayName: 'Pulse & Co', logoUrl: null, accentColor: '#ffe14d', privacyUrl: null, supportUrl: null };
const draft = {
  language: 'de',
  subject: 'Subject',
  brand,
  hasLogo: true,
  parts: [
    { says: 'Hello <you>' },
    { lists: ['one', 'two'] },
    { quotes: 'first\nsecond' },
    { button: 'View', to: 'https://a.example/x?a=1&b=2' },
    { link: 'Portal', to: 'https://a.example/p' },
  ],
  footer: ['Sent by us.', 'Because you asked.'],
} as const;

describe('a mail', () => {
  it('has everything in plain text', () => {
    assert.equal(
      writeMail(draft).text,
      'Hello <you>\n\n- one\n- two\n\n> first\n> second\n\nView:\nhttps://a.example/x?a=1&b=2\n\nPortal:\nhttps://a.example/p\n\n-- \nSent by us.\nBecause you asked.\n',
    );
  });

  it('escapes texts, has one button in the accent color, and says who sends it', () => {
    const { text } = writeMail(draft).html;
    assert.match(text, /<html lang="de">/);
    assert.match(text, /Pulse &#38; Co/);
    assert.match(text, /Hello &#60;you&#62;/);
    assert.equal(text.match(/display:inline-block/g)?.length, 1);
    assert.match(text, /background:#ffe14d;color:#10181f/, 'dark text on a light color');
    assert.match(text, /Because you asked\./);
  });

  it('loads nothing, and has a dark mode', () => {
    const { text } = writeMail(draft).html;
    assert.match(text, /src="cid:logo"/);
    assert.doesNotMatch(text, /src="http|<script|<link |url\(/);
    assert.match(text, /prefers-color-scheme: dark/);
    assert.doesNotMatch(writeMail({ ...draft, hasLogo: false }).html.text, /<img/);
  });
});
