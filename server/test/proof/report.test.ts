import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Promised } from './promises.ts';
import { type Proof, readResult, writePage } from './report.ts';

const promised: Promised = { name: 'a', promise: 'It holds', method: 'tried', files: [] };
const TEXT = 'ℹ 30 failures at 9 statements\nℹ 12 failures at 3 statements\nℹ pass 2\nℹ fail 0\nℹ cancelled 0\n';
const OUTPUT = { text: TEXT, hasFailed: false };

describe('the result of a run', () => {
  it('counts the trials of all tests, or the tests', () => {
    const counted = { ...promised, counted: /(\d+) failures at/g, unit: 'failures' };
    assert.deepEqual(readResult(counted, OUTPUT), { n: '42 failures', result: 'kept' });
    assert.deepEqual(readResult(promised, OUTPUT), { n: '2 tests', result: 'kept' });
  });

  it('is broken if a test failed, or if nothing was tried', () => {
    assert.match(readResult(promised, { ...OUTPUT, text: TEXT.replace('fail 0', 'fail 1') }).result, /broken/);
    assert.equal(readResult({ ...promised, counted: /(\d+) kills/g }, OUTPUT).result, '**broken**: nothing was tried');
    assert.match(readResult(promised, { ...OUTPUT, text: '' }).result, /broken/);
  });

  it('is broken if the runner failed, although no test did', () => {
    assert.equal(readResult(promised, { ...OUTPUT, hasFailed: true }).result, '**broken**: the runner failed');
  });

  it('says how many tests were skipped', () => {
    const text = `${TEXT}ℹ skipped 3\n`;
    assert.deepEqual(readResult(promised, { ...OUTPUT, text }), { n: '2 tests, tests skipped: 3', result: 'kept' });
  });
});

describe('the page', () => {
  it('keeps the row of a promise that was not run', () => {
    const proof: Proof = {
      name: 'a',
      n: '2 tests',
      result: 'kept',
      form: 'short',
      seed: 5,
      commit: 'abc',
      date: '2026-01-01',
    };
    const other: Promised = { ...promised, name: 'b', promise: 'That too' };
    const first = writePage([promised, other], '', [proof]);
    assert.match(first, /\| It holds \| tried \| 2 tests \| kept \| `a` short, seed 5, abc, 2026-01-01 \|/);
    assert.match(first, /\| That too \| tried \| {2}\| not run \| `b` \|/);
    assert.match(writePage([promised], '', [{ ...proof, seed: null }]), /`a` short, abc, 2026-01-01 \|/);
    const second = writePage([promised, other], first, [{ ...proof, name: 'b', seed: 6 }]);
    assert.match(second, /seed 5[\s\S]+seed 6/);
  });
});
