// Proves that a record is read alike with and without the regular expression for the usual ones, on generated and hostile text.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type Random, seedRandom } from '../../../../../test/faults/random.ts';
import { readAppleHealth } from './read-apple-health.ts';
import { findUsualRecord } from './usual-record.ts';

const DOCUMENTS = 300;
const HEADS = [
  '<?xml version="1.0"?>\n<!DOCTYPE HealthData [\n<!ELEMENT HealthData EMPTY>\n]>\n<HealthData>\n',
  '<!DOCTYPE HealthData [\n<!ATTLIST Record type CDATA #REQUIRED\n<HealthData locale="de">\n',
  '<HealthData>',
  '<Record type="x"/>\n<HealthData>\n',
];
const TEXTS = [
  'Phone',
  'Ann&#39;s &lt;Watch&gt;',
  'Wa\u0001tch',
  'Zoë\u00a0\ufffd',
  '',
  'a\nb',
  "it's",
  'x > y </Record>',
];
const DEVICES = [
  '&lt;&lt;HKDevice: 0x1&gt;, name:Watch, hardware:Watch7,1&gt;',
  '&lt;0x22&gt;, name:Watch',
  'none',
  ',',
  '',
];
const TYPES = ['HKQuantityTypeIdentifierHeartRate', 'HKQuantityTypeIdentifierStepCount', 'HKUnknown'].concat([
  'HKCategoryTypeIdentifierSleepAnalysis',
  'HKCategoryTypeIdentifierAppleStandHour',
  '',
]);
const DATES = ['2026-03-09 07:30:00 +0100', '2026-03-09 07:31:00 +0100', '2026-03-10 01:00:00 -0330', 'yesterday', ''];
const VALUES = [
  '60',
  '61.5',
  'many',
  '',
  'HKCategoryValueSleepAnalysisAsleepCore',
  'HKCategoryValueAppleStandHourIdle',
];
const KEYS = ['HKMetadataKeyHeartRateMotionContext', 'HKWasUserEntered', 'HKWasUserEnteredToo', ''];

describe('the usual record of an Apple Health export', () => {
  it('is read as by its tags, whatever surrounds it and wherever the text is cut', async () => {
    let usual = 0;
    for (let seed = 1; seed <= DOCUMENTS; seed += 1) {
      const random = seedRandom(seed);
      const pieces = cut(makeDocument(random), random);
      const quick = await read(pieces, (text, at) => {
        const found = findUsualRecord(text, at);
        usual += found === null ? 0 : 1;
        return found;
      });
      assert.deepEqual(quick, await read(pieces, () => null), `seed ${seed}`);
    }
    assert.ok(usual > DOCUMENTS, `${usual} records were usual`);
  });

  it('matches the lines that the Health app writes, and counts their lines', async () => {
    const line = (content: string) =>
      ` <Record type="HKQuantityTypeIdentifierHeartRate" sourceName="Watch" sourceVersion="11.0" device="${DEVICES[0]}" unit="count/min" creationDate="${DATES[0]}" startDate="${DATES[0]}" endDate="${DATES[1]}" value="60"${content}\n`;
    const entry = `\n  <MetadataEntry key="${KEYS[0]}" value="1"/>`;
    let usual = 0;
    const text = `${HEADS[2]}\n${line('/>')}${line(`>${entry}${entry}\n </Record>`)}${line('/>')}</HealthData>`;
    const { items } = await read([text], (whole, at) => {
      const found = findUsualRecord(whole, at);
      usual += found === null ? 0 : 1;
      return found;
    });
    assert.equal(usual, 3);
    assert.deepEqual(
      items.map((item) => item.at(-1)),
      [2, 3, 7],
    );
  });

  it('counts the lines of a tag that spans several', async () => {
    const record = `<Record\n type="${TYPES[1]}"\n sourceName="Phone" unit="count" startDate="${DATES[0]}" value="1"/>\n`;
    const { items } = await read([`<HealthData>\n${record}${record}</HealthData>`], () => null);
    assert.deepEqual(
      items.map((item) => item.at(-1)),
      [2, 5],
    );
  });

  it('refuses records outside of an export before it hands any over', async () => {
    const { items, failure } = await read(['<Record type="x" startDate="" endDate=""/><HealthData></HealthData>']);
    assert.deepEqual([items, /line 1: this is not an Apple Health export/.test(failure)], [[], true]);
  });
});

type FindUsual = Parameters<typeof readAppleHealth>[2];

async function read(pieces: readonly string[], findUsual?: FindUsual) {
  const items: unknown[][] = [];
  const others: string[] = [];
  let failure = '';
  async function* texts() {
    yield* pieces;
  }
  await readAppleHealth(
    texts(),
    {
      add: (...item) => void items.push(item),
      skip: (what) => void others.push(what),
      reject: (message, position) => void others.push(`${position}: ${message}`),
      isFull: () => false,
      drain: async () => undefined,
    },
    findUsual,
  ).catch((error: Error) => {
    failure = error.message;
  });
  return { items, others, failure };
}

function makeDocument(random: Random): string {
  const parts = Array.from({ length: random.integer(1, 25) }, () => makePart(random));
  const head = random.integer(1, 20) === 1 ? HEADS.at(-1) : pick(random, HEADS.slice(0, 3));
  return `${head}${parts.join('')}${random.integer(1, 8) === 1 ? '' : '</HealthData>\n'}`;
}

function makePart(random: Random): string {
  const kind = random.integer(1, 20);
  if (kind === 1) return `<!-- ${makeRecord(random)} -->\n`;
  if (kind === 2) return ` <Correlation type="x">\n ${makeRecord(random)}</Correlation>\n`;
  if (kind === 3)
    return ` <Workout workoutActivityType="x" startDate="${DATES[0]}" endDate="${DATES[1]}">\n ${makeRecord(random)}</Workout>\n`;
  if (kind === 4) return makeRecord(random).slice(0, random.integer(1, 200)); // damaged
  return makeRecord(random);
}

/** Mostly as the Health app writes it. */
function makeRecord(random: Random): string {
  const rarely = <Value>(usual: Value, other: Value) => (random.integer(1, 12) === 1 ? other : usual);
  const quote = rarely('"', "'");
  const attributes = [
    ['type', rarely(TYPES[0] ?? '', pick(random, TYPES))],
    ['sourceName', rarely('Watch', pick(random, TEXTS))],
    ['sourceVersion', '11.0'],
    ['device', rarely(DEVICES[0] ?? '', pick(random, DEVICES))],
    ['unit', rarely('count/min', pick(random, TEXTS))],
    ['creationDate', DATES[0]],
    ['startDate', rarely(DATES[0] ?? '', pick(random, DATES))],
    ['endDate', rarely(DATES[1] ?? '', pick(random, DATES))],
    ['value', rarely('60', pick(random, VALUES))],
  ].filter(() => random.integer(1, 30) > 1);
  if (random.integer(1, 10) === 1) attributes.push(attributes.splice(0, 1)[0] ?? []);
  if (random.integer(1, 15) === 1) attributes.push(['value', '7']);
  const tag = attributes.map(([name, value]) => `${name}=${quote}${value}${quote}`).join(rarely(' ', '\n '));
  if (random.integer(1, 2) === 1) return ` <Record ${tag}${rarely('/>', ' / >')}\n`;
  const entries = Array.from(
    { length: random.integer(0, 3) },
    () =>
      `\n  <MetadataEntry key="${rarely(KEYS[0] ?? '', pick(random, KEYS))}" value="${rarely('1', '0')}"${rarely('/>', '> </MetadataEntry>')}`,
  );
  return ` <Record ${tag}>${entries.join('')}${rarely('\n ', '\r\n')}${rarely('</Record>\n', '</Record >')}`;
}

function cut(text: string, random: Random): string[] {
  const pieces: string[] = [];
  for (let at = 0; at < text.length; ) {
    const end = at + random.integer(1, random.integer(1, 2) === 1 ? 40 : 4_000);
    pieces.push(text.slice(at, end));
    at = end;
  }
  return pieces;
}

function pick<Value>(random: Random, values: readonly Value[]): Value {
  return values[random.integer(0, values.length - 1)] as Value;
}
