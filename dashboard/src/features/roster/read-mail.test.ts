import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { readMail } from './read-mail.ts';

describe('the text of a mail', () => {
  it('has paragraphs, lists, quotes, links and a footer', () => {
    const text =
      'Hello Ada,\n\n- sleep\n- workouts\n\n> Join us.\n> Soon.\n\nView the invitation:\nhttps://example.org/i/…\n\n-- \nSent by Acme.\nBecause of an invitation.\n';
    assert.deepEqual(readMail(text), [
      { kind: 'text', text: 'Hello Ada,' },
      { kind: 'list', items: ['sleep', 'workouts'] },
      { kind: 'quote', text: 'Join us.\nSoon.' },
      { kind: 'link', label: 'View the invitation', url: 'https://example.org/i/…' },
      { kind: 'footer', text: 'Sent by Acme.\nBecause of an invitation.' },
    ]);
  });
});
