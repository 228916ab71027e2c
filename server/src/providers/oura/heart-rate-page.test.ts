import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { parseJsonBytes } from '../parse-json.ts';
import { readHeartRatePage } from './heart-rate-page.ts';
import { mapHeartRate } from './map-heart-rate.ts';

const bytesOf = (text: string) => new TextEncoder().encode(text);
const context = { zone: 'Europe/Berlin', window: null };
const ITEM = '{"bpm":61,"source":"awake","timestamp":"2026-03-29T00:59:30+00:00"}';
const pageOf = (...items: string[]) => `{"data":[${items.join(',')}],"next_token":null}`;
const times = ['2026-03-29T01:00:30.5Z', '2026-03-29T01:01:30.123456789+00:00', '2024-02-29T23:59:59.07Z'];

describe('a page of heart rates', () => {
  for (const [what, page] of [
    ['one', pageOf(ITEM)],
    ['the same day, another, and back', pageOf(ITEM, ITEM.replace('03-29', '03-28'), ITEM)],
    ...times.map((time) => [time, pageOf(ITEM, ITEM.replace('2026-03-29T00:59:30+00:00', time))] as const),
    ['0 beats and 3 digits', pageOf(ITEM.replace('61', '0'), ITEM.replace('61', '201'))],
    ['more to come', pageOf(ITEM).replace('null', '"abc-1.2"')],
  ] as const)
    it(`is read as JSON is: ${what}`, () => {
      const read = readHeartRatePage(bytesOf(page));
      assert.ok(read !== null);
      const parsed = parseJsonBytes(bytesOf(page));
      assert.equal(read.next_token, (parsed as { next_token: string | null }).next_token);
      assert.deepEqual(mapHeartRate(read, context), mapHeartRate(parsed, context));
    });

  for (const [what, page] of [
    ['nothing in it', '{"data":[],"next_token":null}'],
    ['spaces', pageOf(ITEM).replace(':[', ': [')],
    ['no beats', pageOf(ITEM.replace('61', 'null'))],
    ['a fraction of a beat', pageOf(ITEM.replace('61', '61.5'))],
    ['less than none', pageOf(ITEM.replace('61', '-1'))],
    ['another offset', pageOf(ITEM.replace('+00:00', '+01:00'))],
    ['a letter that stands for another', pageOf(ITEM.replace('awake', '\\u0061'))],
    ['another field', pageOf(ITEM.replace('{', '{"id":1,'))],
    ['a day that no calendar has', pageOf(ITEM.replace('03-29', '02-30'))],
    ['the 24th hour', pageOf(ITEM.replace('T00:59:30', 'T24:00:00'))],
    ['another order', '{"next_token":null,"data":[]}'],
  ] as const)
    it(`is left to JSON: ${what}`, () => {
      assert.equal(readHeartRatePage(bytesOf(page)), null);
      mapHeartRate(parseJsonBytes(bytesOf(page)), context);
    });

  it('that is none is not taken for one, wherever it is cut off or changed', () => {
    const page = pageOf(ITEM, ITEM);
    for (let length = 0; length < page.length; length += 1)
      assert.equal(readHeartRatePage(bytesOf(page.slice(0, length))), null);
    assert.equal(readHeartRatePage(bytesOf(`${page} `)), null);
    for (let place = 0; place < page.length; place += 1) {
      for (const put of ['"', '9', 'x', '\u0001']) {
        const changed = bytesOf(page.slice(0, place) + put + page.slice(place + 1));
        const read = readHeartRatePage(changed);
        if (read !== null)
          assert.deepEqual(mapHeartRate(read, context), mapHeartRate(parseJsonBytes(changed), context));
      }
    }
  });
});
