// Files that are damaged, hostile or not what they seem, through the command line and the upload page: a message that says where
// and what to do, nothing stored of a file that cannot be trusted, and the rest of a file that can.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { readAppleHealth } from '../../src/features/intake/imports/apple-health/read-apple-health.ts';
import { makeZip } from '../support/read-import.ts';
import { readMessage, runCli } from '../support/run-cli.ts';
import { createFrozenClock } from '../support/test-clock.ts';
import { createMember, memberApi } from '../support/test-members.ts';
import { startTestService } from '../support/test-service.ts';
import { createAccount, createUser } from '../support/test-users.ts';
import { waitUntil } from '../support/wait-until.ts';

const service = await startTestService({ clock: createFrozenClock(new Date('2026-03-10T12:00:00Z')) });
const folder = mkdtempSync(join(tmpdir(), 'bad-imports-'));
after(async () => {
  await service.stop();
  rmSync(folder, { recursive: true });
});
const LIMIT_MS = 60_000;
const account = await createAccount(service);
const { cookie } = await createMember(service, account.name, 'developer');
const member = memberApi(service, cookie);

const RECORD =
  '<Record type="HKQuantityTypeIdentifierStepCount" sourceName="Phone" unit="count" startDate="2026-03-09 10:00:00 +0100" endDate="2026-03-09 10:05:00 +0100" value="5"/>';
const APPLE = `<?xml version="1.0"?>\n<HealthData>\n${RECORD}\n</HealthData>\n`;
const XML = 'apple_health_export/export.xml';
const ROUTE = '<gpx><trk><trkseg><trkpt lat="1" lon="2"/></trkseg></trk></gpx>';
const CSV = 'time,weight (kg)\n2026-03-09T07:00:00Z,70\n';
const zip = (files: Record<string, string | Buffer>, claims?: { bytes: number }) =>
  makeZip(Object.fromEntries(Object.entries(files).map(([name, content]) => [name, Buffer.from(content)])), claims);

type BadFile = {
  readonly what: string;
  readonly name: string;
  readonly content: string | Buffer;
  /** In the error, or in the list of rejected records. */
  readonly message: RegExp | null;
  readonly accepted: number;
};

const FILES: readonly BadFile[] = [
  {
    what: 'a truncated zip file',
    name: 'cut.zip',
    content: zip({ [XML]: APPLE }).subarray(0, 150),
    message: /zip file is damaged or truncated .*Download or copy it again/,
    accepted: 0,
  },
  {
    what: 'a zip bomb',
    name: 'bomb.zip',
    content: zip({ [XML]: Buffer.alloc(70_000_000) }),
    message: /The zip file unpacks to 70000000 bytes, more than 200 times/,
    accepted: 0,
  },
  {
    what: 'a zip file with a wrong size',
    name: 'size.zip',
    content: zip({ [XML]: APPLE.repeat(50) }, { bytes: 90 }),
    message: /export\.xml: the file is damaged: too many bytes/,
    accepted: 0,
  },
  {
    what: 'a name that leads out of the folder',
    name: 'path.zip',
    content: zip({ [`../../${XML}`]: APPLE }),
    message: /entry whose name leads out of its folder/,
    accepted: 0,
  },
  {
    what: 'several Apple exports',
    name: 'two.zip',
    content: zip({ [XML]: APPLE, 'old/export.xml': APPLE }),
    message: /several Apple Health exports .*Import each of them separately/,
    accepted: 0,
  },
  {
    what: 'exports of several services',
    name: 'kinds.zip',
    content: zip({ [XML]: APPLE, 'Takeout/Fitbit/Global Export Data/steps-2026-03-09.json': '[]' }),
    message: /exports of several services \(apple-health, fitbit\)/,
    accepted: 0,
  },
  { what: 'UTF-16', name: 'wide.csv', content: Buffer.from(`\ufeff${CSV}`, 'utf16le'), message: null, accepted: 1 },
  {
    what: 'UTF-16 without a mark',
    name: 'wide2.csv',
    content: Buffer.from(CSV, 'utf16le'),
    message: /wide2\.csv: the text is UTF-16 without a byte order mark/,
    accepted: 0,
  },
  {
    what: 'Latin-1',
    name: 'latin.csv',
    content: Buffer.from(`${CSV}\n2026-03-10,7\xfc\n`, 'latin1'),
    message: /latin\.csv, line 4, column 13: the text is not UTF-8\. Save the file as UTF-8/,
    accepted: 0,
  },
  {
    what: 'a malformed DTD',
    name: 'dtd.xml',
    content: APPLE.replace('<HealthData>', '<!DOCTYPE HealthData [\n<!ELEMENT a (((\n<!ATTLIST b "\n<HealthData>'),
    message: null,
    accepted: 1,
  },
  {
    what: 'control characters',
    name: 'control.xml',
    content: APPLE.replace('"Phone"', '"Ph\u0000\u001bone"'),
    message: null,
    accepted: 1,
  },
  {
    what: 'a tag without end',
    name: 'tag.xml',
    content: `<HealthData>\n${RECORD}\n<Record x="${'y'.repeat(2_000_000)}`,
    message: /line 3: a tag has more than 1048576 characters/,
    accepted: 0,
  },
  {
    what: 'a CSV file with a wrong unit',
    name: 'unit.csv',
    content: 'time,weight (stones)\n2026-03-09,1\n',
    message: /line 1, column 2: weight does not accept the unit "stones"; use one of kg/,
    accepted: 0,
  },
  {
    what: 'a decimal comma',
    name: 'comma.csv',
    content: 'time;weight (kg)\n2026-03-09T07:00:00Z;70,5\n',
    message: null,
    accepted: 1,
  },
  {
    what: 'a comma that can mean both',
    name: 'both.csv',
    content: 'time;steps\n2026-03-09T07:00:00Z;1,234\n2026-03-09T08:00:00Z;7\n',
    message: /line 2, column 2: "1,234" can mean a thousand or a fraction\. State the decimal mark/,
    accepted: 1,
  },
  {
    what: 'columns for the same metric',
    name: 'metric.csv',
    content: 'time,weight (kg),weight (lb)\n2026-03-09,70,154\n',
    message: /line 1, column 3: weight is also in column 2/,
    accepted: 0,
  },
  {
    what: 'columns of the same name',
    name: 'twice.csv',
    content: 'time,time,weight\n2026-03-09,2026-03-08,70\n',
    message: /line 1, column 2: column 1 has the same name, "time"/,
    accepted: 0,
  },
  {
    what: 'a CSV file without metrics',
    name: 'mass.csv',
    content: 'time,mass\n2026-03-09,70\n',
    message: /line 1: no column is a metric/,
    accepted: 0,
  },
  {
    what: 'a FIT file that is damaged',
    name: 'bad.fit',
    content: Buffer.concat([Buffer.from([14, 16, 0, 0, 100, 0, 0, 0]), Buffer.from('.FIT'), Buffer.alloc(200, 7)]),
    message: /bad\.fit: this FIT file cannot be read/,
    accepted: 0,
  },
  {
    what: 'a GPX file without times',
    name: 'route.gpx',
    content: ROUTE,
    message: /route\.gpx: the track has no times, so it is a route/,
    accepted: 0,
  },
];

async function byCommand(path: string, userId: string) {
  const { stdout, stderr } = await runCli(service, ['import', path, '--user', userId, '--json']);
  const summary = stdout === '' ? { accepted: 0, problems: [] } : JSON.parse(stdout);
  return { accepted: summary.accepted as number, text: [readMessage(stderr), ...summary.problems].join('\n') };
}

async function byUpload({ name, content }: BadFile, userId: string) {
  const path = `/dashboard/api/live/users/${userId}/imports`;
  const bytes = Buffer.from(content);
  const begun = await member.post(path, { file_name: name, size_bytes: bytes.length });
  assert.equal(begun.status, 200, begun.text);
  const sent = await fetch(`${service.url}${path}/${begun.body.id}/parts/0`, {
    method: 'PUT',
    headers: { cookie, 'content-type': 'application/octet-stream', 'x-tributary': 'dashboard', origin: service.url },
    body: bytes,
  });
  assert.equal(sent.status, 200);
  const ended = await waitUntil(
    'the end of the import',
    async () => {
      const { current } = (await member.get(path)).body;
      return current.status === 'running' ? undefined : current;
    },
    LIMIT_MS,
  );
  return { accepted: ended.accepted as number, text: [ended.error ?? '', ...ended.problems].join('\n') };
}

describe('a file with faults', () => {
  for (const file of FILES)
    it(`${file.message === null ? 'imports' : 'reports'} ${file.what}`, async () => {
      const path = join(folder, file.name);
      writeFileSync(path, file.content);
      const api = service.api(account.live);
      for (const way of ['command', 'upload']) {
        const userId = (await createUser(api)).id as string;
        const { accepted, text } = way === 'command' ? await byCommand(path, userId) : await byUpload(file, userId);
        if (file.message === null) assert.equal(text, '', way);
        else assert.match(text, file.message, way);
        assert.equal(accepted, file.accepted, `${way}: ${text}`);
        assert.ok(way === 'command' || !text.includes(folder), 'names no folder of the service');
        const { data } = (await api.get(`/v1/users/${userId}/devices`)).body;
        assert.equal(data.length, file.accepted === 0 ? 0 : 1, way);
      }
    });
});

describe('a line of 10 GB', () => {
  it('is read with constant memory', async () => {
    const piece = 'x'.repeat(1_048_576);
    const found: string[] = [];
    async function* texts(): AsyncGenerator<string> {
      yield '<HealthData>';
      for (let count = 0; count < 10_240; count += 1) yield piece;
      yield `${RECORD}</HealthData>`;
    }
    const before = process.memoryUsage().rss;
    await readAppleHealth(texts(), {
      add: (_source, list) => void found.push(list),
      skip: () => undefined,
      reject: () => undefined,
      isFull: () => false,
      drain: async () => undefined,
    });
    assert.deepEqual(found, ['samples']);
    assert.ok(process.memoryUsage().rss - before < 200_000_000);
  });
});
