// @tributary/mobile passes every conformance vector, as a native implementation would be tested.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { it } from 'node:test';
import { playVector } from '../../conformance/src/play-vector.ts';
import { readVectors } from '../../conformance/src/read-vectors.ts';

const COMMAND = [process.execPath, join(import.meta.dirname, 'conformance-program.ts')];
const vectors = readVectors();

it('has vectors', () => assert.ok(vectors.length >= 20));

for (const vector of vectors) it(vector.name, () => playVector(vector, COMMAND));
