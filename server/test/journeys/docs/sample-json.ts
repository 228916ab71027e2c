// JSON as in the guides: a part of a real response, with "…" for omitted parts. Pure.
import assert from 'node:assert/strict';

type Json = null | boolean | number | string | Json[] | { [name: string]: Json };

export function parseSample(text: string): Json {
  const whole = text
    .replaceAll(/…\s*,/g, '')
    .replaceAll(/,?\s*…(?=\s*[\]}])/g, '')
    .trim();
  return JSON.parse(whole.startsWith('"') ? `{${whole}}` : whole);
}

/** The last response in what commands printed. A list of events has several lines. */
export function parseAnswer(printed: string): Json {
  const text = printed.trim();
  return JSON.parse(text.slice(text.lastIndexOf('\n{"events":') + 1).replace(/^(?!\{"events":).*\n/s, ''));
}

/** Every field of the sample is in the response, at the same place and with the same type; ids, dates and numbers may differ. */
export function assertShows(sample: Json, response: Json, where = ''): void {
  if (sample === null || response === null) return;
  if (Array.isArray(sample)) {
    assert.ok(Array.isArray(response), `${where} is not a list`);
    for (const one of sample) assertOneShows(one, response, where);
  } else if (typeof sample === 'object') {
    assert.ok(typeof response === 'object' && !Array.isArray(response), `${where} is not an object`);
    for (const [name, value] of Object.entries(sample)) {
      assert.ok(name in response, `${where}.${name} is not in the response: ${Object.keys(response)}`);
      assertShows(value, response[name] ?? null, `${where}.${name}`);
    }
  } else assert.equal(typeof response, typeof sample, where);
}

function assertOneShows(sample: Json, candidates: readonly Json[], where: string): void {
  const errors = candidates.map((candidate) => {
    try {
      assertShows(sample, candidate, `${where}[]`);
      return null;
    } catch (error) {
      return error;
    }
  });
  if (!errors.includes(null)) throw errors[0] ?? new Error(`${where} is empty in the response`);
}
