import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { EditedKey } from './draft.ts';
import { countChanges, describeDraft, readDraft, toChange, toDefaults, toUndo } from './draft.ts';

const STEPS: EditedKey = {
  key: 'steps',
  name: 'Steps',
  kind: 'metric',
  category: 'Activity',
  default_method: 'merge',
  method: 'priority',
  allowed_methods: ['merge', 'priority', 'max'],
  changed: true,
  overridden: true,
  last_change: null,
  differs: true,
  providers: [
    { provider: 'apple_health', enabled: true },
    { provider: 'oura', enabled: false },
  ],
  sources: [],
  metrics: [],
};

describe('a draft of consolidation settings', () => {
  it('is what is in force, with what the address says on top', () => {
    assert.deepEqual(readDraft(STEPS, {}), { method: 'priority', off: ['oura'] });
    assert.deepEqual(readDraft(STEPS, { method: 'max', off: '' }), { method: 'max', off: [] });
    assert.deepEqual(readDraft(STEPS, { method: 'sum', off: 'whoop' }), { method: 'priority', off: [] });
  });

  it('sends only what differs, and the default as null', () => {
    assert.equal(toChange(STEPS, { method: 'priority', off: ['oura'] }), null);
    assert.deepEqual(toChange(STEPS, { method: 'merge', off: ['oura'] }), { method: null });
    assert.deepEqual(toChange(STEPS, { method: 'max', off: ['apple_health'] }), {
      method: 'max',
      providers: { apple_health: false, oura: true },
    });
  });

  it('is undone by what was in force', () => {
    const change = toChange(STEPS, { method: 'merge', off: [] }) ?? {};
    assert.deepEqual(toUndo(STEPS, change), { method: 'priority', providers: { oura: false } });
    const untouched = { ...STEPS, method: 'merge' as const, overridden: false };
    assert.deepEqual(toUndo(untouched, { method: 'max' }), { method: null });
  });

  it('leads back to the defaults, but not for providers that are disabled for all metrics', () => {
    assert.deepEqual(toDefaults(STEPS, []), { method: 'merge', off: [] });
    assert.deepEqual(toDefaults(STEPS, ['oura']), { method: 'merge', off: ['oura'] });
  });

  it('is described and counted', () => {
    const draft = { method: 'merge' as const, off: ['apple_health', 'oura'] };
    assert.equal(describeDraft(STEPS, draft), 'priority → merge, Apple Health disabled');
    assert.equal(countChanges(toChange(STEPS, draft) ?? {}), 2);
  });
});
