import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createCursorCodec } from './cursor.ts';
import { presentCursorPage, readCursorPage } from './cursor-page.ts';

const cursors = createCursorCodec(() => Buffer.alloc(32, 7));
const LIST = [50, 40, 30, 20, 10];

function read(cursor: string | null, limit: number) {
  return readCursorPage(
    cursors,
    { scope: 'numbers', cursor, limit },
    async (position, rows) => LIST.filter((one) => position === null || one < (position[0] as number)).slice(0, rows),
    (last) => [last],
  );
}

describe('readCursorPage', () => {
  for (const limit of [1, 2, 4, 5, 6])
    it(`returns each item once, ${limit} at a time, and no cursor after the last`, async () => {
      const pages: (readonly number[])[] = [];
      let cursor: string | null = null;
      do {
        const page: Awaited<ReturnType<typeof read>> = await read(cursor, limit);
        pages.push(page.items);
        cursor = page.nextCursor;
      } while (cursor !== null);
      assert.deepEqual(pages.flat(), LIST);
      assert.equal(pages.length, Math.ceil(LIST.length / limit));
    });

  it('rejects a cursor of another list', async () => {
    await assert.rejects(read(cursors.encode('letters', [30]), 2), { code: 'invalid_cursor' });
  });
});

describe('presentCursorPage', () => {
  it('presents the items and the cursor', () => {
    const present = presentCursorPage((one: number) => ({ value: one }));
    assert.deepEqual(present({ items: [3], nextCursor: 'next' }), {
      status: 200,
      body: { data: [{ value: 3 }], next_cursor: 'next' },
    });
  });
});
