import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { checkVocabularyOf } from './check-vocabulary.ts';

const find = (file: string, text: string) =>
  checkVocabularyOf(file, text).map(({ line, message }) => `${line} ${message}`);

describe('the vocabulary', () => {
  it('is checked in identifiers of any case, comments, messages and file names', () => {
    assert.equal(find('a.ts', 'const sealedErrand = 1;').length, 1);
    assert.equal(find('a.ts', 'const SYNC_ERRANDS = 1;').length, 1);
    assert.equal(find('a.ts', '// what an errand is').length, 1);
    assert.equal(find('a.sql', 'create table sync_errands ();').length, 1);
    assert.equal(find('docs/a.md', 'Pages are set aside.').length, 1);
    assert.deepEqual(find('src/errand.ts', ''), ['0 "errand": write sync task, or authorization state']);
  });

  it('names the line', () => {
    assert.match(find('a.md', 'fine\n\nThe device told us.')[0] ?? '', /^3 "told": write reported/);
  });

  it('allows ordinary English in sentences, and not in names', () => {
    assert.deepEqual(find('a.md', 'Turn the sandbox off. It is your turn.'), []);
    assert.deepEqual(find('a.ts', "return 'one in turn';"), []);
    assert.equal(find('a.ts', 'const tokenTurn = 1;').length, 1);
    assert.equal(find('a.ts', 'const notice_url = 1;').length, 1);
    assert.deepEqual(find('a.ts', "const without = 'notice'; // unless somebody noticed"), []);
    assert.deepEqual(find('a.ts', 'const REDOCLY_SUPPRESS_UPDATE_NOTICE = 1;'), []);
  });

  it('checks names in components and SQL, without comments and texts', () => {
    assert.equal(find('a.tsx', 'const a = <Row turn={1} />;').length, 1);
    const sql = `-- don't turn\ncomment on table a is 'one in turn,\nisn''t it: turn'\n`;
    assert.deepEqual(find('a.sql', sql), []);
    assert.match(find('a.sql', `${sql}create table a (turn integer);`)[0] ?? '', /^4 "turn": write sync run/);
  });

  it('knows words that only contain a banned one', () => {
    assert.deepEqual(find('a.md', 'Facebook, storytelling, troubleshooting, quietly, noticed, a bookmark'), []);
  });
});
