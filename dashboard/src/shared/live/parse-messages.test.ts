import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { parseMessages } from './parse-messages.ts';

describe('the live stream', () => {
  it('is read message by message, without comments', () => {
    const text = 'retry: 2000\n\n: still here\n\nid: e1r2\nevent: event\ndata: {"type":"a: b"}\n\nid: e2r2\nevent: req';
    assert.deepEqual(parseMessages(text), {
      messages: [{ name: 'event', id: 'e1r2', data: { type: 'a: b' } }],
      rest: 'id: e2r2\nevent: req',
    });
  });

  it('waits for the end of a message', () => {
    const first = parseMessages('event: open\nda');
    assert.deepEqual(first.messages, []);
    assert.deepEqual(parseMessages(`${first.rest}ta: {}\n\n`).messages, [{ name: 'open', id: null, data: {} }]);
  });
});
