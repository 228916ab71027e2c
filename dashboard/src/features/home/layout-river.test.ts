import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { layoutRiver } from './layout-river.ts';

const outlet = (count: number, waiting = 0, isBlocked = false) => ({ count, waiting, isBlocked });

describe('the river', () => {
  it('spreads streams over its height, and a single one in the middle', () => {
    const { sources, outlets, height } = layoutRiver({ width: 1_000, sources: [9, 4, 1], outlets: [outlet(5)] });
    assert.deepEqual(
      sources.map(({ y }) => y),
      [26, height / 2, height - 26],
    );
    assert.equal(outlets[0]?.y, height / 2);
  });

  it('widens with the square root of the count, and keeps a thin stream of nothing', () => {
    const { sources } = layoutRiver({ width: 1_000, sources: [400, 100, 0], outlets: [] });
    const [large = 0, small = 0, nothing = 0] = sources.map(({ head }) => head.r);
    assert.ok(Math.abs(large / small - 2) < 0.01);
    assert.ok(nothing > 0);
  });

  it('puts a dam in front of a webhook that takes nothing, with a pool that grows', () => {
    const { outlets } = layoutRiver({
      width: 1_000,
      sources: [1],
      outlets: [outlet(5), outlet(0, 2, true), outlet(0, 40, true)],
    });
    const heights = outlets.map(({ dam }) => dam?.height ?? null);
    assert.equal(heights[0], null);
    assert.ok((heights[2] ?? 0) > (heights[1] ?? 0));
  });

  it('grows with the number of streams, and fits a phone', () => {
    const many = layoutRiver({ width: 340, sources: Array(8).fill(1), outlets: [outlet(1, 90, true)] });
    assert.ok(many.isNarrow);
    assert.ok(many.height > 8 * 44);
    assert.ok(many.trunk.x + many.trunk.width < (many.outlets[0]?.end.x ?? 0));
    assert.ok(many.to <= 340 - many.right);
  });
});
