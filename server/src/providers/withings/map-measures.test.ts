import assert from 'node:assert/strict';
import { it } from 'node:test';
import { mapMeasures } from './map-measures.ts';

const context = { zone: 'Europe/Berlin', window: null };

it('reads a body fat of 0 as not measured', () => {
  const measures = [
    { value: 67, type: 1, unit: 0 },
    { value: 0, type: 8, unit: 0 },
    { value: 0, type: 6, unit: 0 },
    { value: 67, type: 5, unit: 0 },
  ];
  const metricsOf = (list: readonly object[]) => {
    const group = { grpid: 1, attrib: 2, category: 1, date: 1_772_431_200, measures: list };
    return [...mapMeasures({ status: 0, body: { measuregrps: [group] } }, context).samples.keys()];
  };
  assert.deepEqual(metricsOf(measures), ['weight']);
  assert.deepEqual(metricsOf(measures.toSpliced(1, 2)), ['weight', 'lean_body_mass']);
});
