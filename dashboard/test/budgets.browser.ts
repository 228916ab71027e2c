// The speed that the dashboard has to have. Sizes are asserted; times depend on the machine, so they are printed, and only ten
// times the budget fails. UPDATE_BENCHMARKS=1 writes the figures to docs/benchmarks.md.
import assert from 'node:assert/strict';
import { statSync } from 'node:fs';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import type { CDPSession, Page } from 'playwright-core';
import { getAccountOrThrow } from '../../server/src/features/tenancy/accounts/index.ts';
import { fillAccount } from './support/fill-account.ts';
import { mockApi } from './support/mock-api.ts';
import { openPageThread } from './support/page-thread.ts';
import { createAda, dateBefore } from './support/sandbox-users.ts';
import { type Dashboard, startDashboard } from './support/start-dashboard.ts';
import { type Figure, writeBenchmarks } from './support/write-benchmarks.ts';

const DIST = path.resolve(import.meta.dirname, '../dist');
const GROSS = 10; // times the budget
const MAX_SCRIPT_KB = 150;
const MAX_DAY_MS = 300;
const MAX_FRAME_MS = 1_000 / 60;
const MAX_HOME_MS = 15;
const HOME_CALLS = 15;
const HOME_KEPT_MS = 6_000; // longer than the service keeps an answer
const CPU_SLOWDOWN = 4;
const POINTS = 60_000;

describe('budgets', () => {
  let dashboard: Dashboard;
  let member: Awaited<ReturnType<Dashboard['createMember']>>;
  let ada: Awaited<ReturnType<typeof createAda>>;
  const figures: Figure[] = [];
  let aheadMs = 0;
  const clock = { now: () => new Date(), monotonicMs: () => performance.now() + aheadMs };
  before(async () => {
    dashboard = await startDashboard({ clock });
    [member, ada] = [await dashboard.createMember('developer'), await createAda(dashboard)];
  });
  after(async () => {
    await dashboard.stop();
    for (const { name, value, budget } of figures)
      process.stdout.write(`${name}: ${value}${budget && `, budget ${budget}`}\n`);
    if (process.env.UPDATE_BENCHMARKS) writeBenchmarks(figures);
  });

  it('loads at most 150 kB of script for the first page', async () => {
    const pages = { users: '/sandbox/users', day: `${ada.path}/day/${dateBefore(1)}`, trends: `${ada.path}/trends` };
    for (const [name, address] of Object.entries(pages)) {
      const scripts = new Set<string>();
      const page = await dashboard.open(address, {
        member,
        prepare: async (opened) =>
          void opened.on('request', (request) => {
            const { pathname } = new URL(request.url());
            if (pathname.endsWith('.js')) scripts.add(pathname.slice('/dashboard/'.length));
          }),
      });
      await page
        .getByRole('link', { name: name === 'users' ? 'ada' : 'Users' })
        .first()
        .waitFor();
      // A day keeps a stream open, so its network is never idle.
      if (name === 'day') await page.getByRole('article').first().waitFor();
      else await page.waitForLoadState('networkidle');
      const bytes = [...scripts].reduce((sum, script) => sum + statSync(path.join(DIST, `${script}.gz`)).size, 0);
      figures.push({
        name: `script of the first load, gzip: ${name}`,
        value: `${(bytes / 1_000).toFixed(1)} kB`,
        budget: `${MAX_SCRIPT_KB} kB`,
      });
      assert.ok(scripts.size > 1, 'no scripts were seen');
      assert.ok(bytes <= MAX_SCRIPT_KB * 1_000, `${name}: ${bytes} bytes of script`);
      await page.context().close();
    }
  });

  it('answers Home of a busy account for every range', async (test) => {
    const { services } = dashboard.service.running;
    await fillAccount(services.db, (await getAccountOrThrow(services, 'default')).id);
    // Home itself would ask at the same time.
    const page = await openPageThread({ url: dashboard.service.url, path: '/live/keys', member });
    test.after(() => page.close());
    const measure = async (range: string): Promise<HomeTimes> => {
      aheadMs += HOME_KEPT_MS;
      return (await page.evaluate(`(${MEASURE_HOME})('${range}')`)) as HomeTimes;
    };
    const ranges = ['hour', 'day', 'week'];
    for (let call = 0; call < HOME_CALLS; call += 1) for (const range of ranges) await measure(range); // V8 compiles
    for (const range of ranges) {
      const times: HomeTimes[] = [];
      for (let call = 0; call < HOME_CALLS; call += 1) times.push(await measure(range));
      const answered = times.map((one) => one.answeredMs);
      const [value, read] = [median(answered), median(times.map((one) => one.readMs))].map(
        (ms) => `${ms.toFixed(1)} ms`,
      );
      figures.push(
        { name: `Home answered: ${range}`, value: value ?? '', budget: `${MAX_HOME_MS} ms` },
        { name: `Home answered and read by the page: ${range}`, value: read ?? '', budget: '' },
      );
      assert.ok(quantile(answered, 0) < GROSS * MAX_HOME_MS, `${range}: ${answered.join(', ')} ms`);
    }
  });

  it('shows a day soon after its answer at a quarter of the speed', async () => {
    const page = await dashboard.open(`${ada.path}/day/${dateBefore(1)}?metric=steps`, { member });
    await page.getByRole('article', { name: 'Steps' }).waitFor();
    const session = await page.context().newCDPSession(page);
    await session.send('Performance.enable', { timeDomain: 'threadTicks' });
    await session.send('Emulation.setCPUThrottlingRate', { rate: CPU_SLOWDOWN });
    const before = await readCpuMs(session);
    const times: number[] = [];
    for (const days of [2, 3, 4, 5, 6]) {
      const date = dateBefore(days);
      times.push(
        (await page.evaluate(
          `(${MEASURE_DAY})('${date}', '${format(date, 'long')}', '${format(date, 'short')}')`,
        )) as number,
      );
    }
    const time = median(times);
    const cpu = (await readCpuMs(session)) - before;
    await page.context().close(); // a slowed page keeps the processor busy while it waits
    figures.push(
      {
        name: 'a day after its last answer, at a quarter of the speed',
        value: `${time.toFixed(0)} ms`,
        budget: `${MAX_DAY_MS} ms`,
      },
      {
        name: 'CPU of the page for a day, from the key to the picture, at that speed',
        value: `${(cpu / times.length).toFixed(0)} ms`,
        budget: '',
      },
    );
    const fast = quantile(times, 0);
    assert.ok(time >= 0 && fast < GROSS * MAX_DAY_MS, `${times.join(', ')} ms`);
  });

  it('zooms into 60,000 points frame by frame', async () => {
    const page = await dashboard.open(`${ada.path}/trends`, {
      member,
      prepare: async (opened) => {
        let isFirst = true;
        await mockApi(opened, {
          [`GET /sandbox/users/${ada.id}/samples`]: () => {
            // Closer samples never arrive, so every frame draws from all points.
            const after = isFirst ? undefined : new Promise<never>(() => undefined);
            isFirst = false;
            return { body: makeColumns(), ...(after && { after }) };
          },
        });
      },
    });
    await page.getByText('60,000 of 60,000 samples').waitFor();
    await page.getByRole('application').focus();
    const session = await page.context().newCDPSession(page);
    await session.send('Performance.enable', { timeDomain: 'threadTicks' });
    const before = await readCpuMs(session);
    const allBefore = await readAllCpuMs(page);
    const frames = (await page.evaluate(`(${MEASURE_ZOOM})()`)) as number[];
    const cpu = ((await readCpuMs(session)) - before) / frames.length;
    const allCpu = ((await readAllCpuMs(page)) - allBefore) / frames.length;
    const [middle, p95] = [median(frames), quantile(frames, 0.95)];
    const budget = `${MAX_FRAME_MS.toFixed(1)} ms`;
    figures.push(
      {
        name: 'a frame while zooming 60,000 points, median and p95',
        value: `${middle.toFixed(1)} and ${p95.toFixed(1)} ms`,
        budget,
      },
      { name: 'CPU of the page for such a frame', value: `${cpu.toFixed(1)} ms`, budget },
      { name: 'CPU of all of Chromium for such a frame', value: `${allCpu.toFixed(1)} ms`, budget: '' },
    );
    // The fastest quarter: on a busy machine most frames wait for other programs.
    const fast = quantile(frames, 0.25);
    assert.ok(fast < GROSS * MAX_FRAME_MS, `${fast} ms per frame`);
  });
});

/** CPU time of the page's main thread, which other programs do not change. */
async function readCpuMs(session: CDPSession): Promise<number> {
  const { metrics } = await session.send('Performance.getMetrics');
  return (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? Number.NaN) * 1_000;
}

/** CPU time of all processes of the browser: also of the threads that draw pixels, which the page's CPU time does not include. */
async function readAllCpuMs(page: Page): Promise<number> {
  const session = (await page.context().browser()?.newBrowserCDPSession()) ?? assert.fail('no browser');
  const { processInfo } = await session.send('SystemInfo.getProcessInfo');
  await session.detach();
  return processInfo.reduce((sum, { cpuTime }) => sum + cpuTime * 1_000, 0);
}

const median = (values: readonly number[]) => quantile(values, 0.5);

function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

/** As the page writes it: "Sunday 15 November" or "15 Nov". */
function format(date: string, length: 'long' | 'short'): string {
  const parts = {
    day: 'numeric',
    month: length,
    timeZone: 'UTC',
    ...(length === 'long' && { weekday: length }),
  } as const;
  return new Intl.DateTimeFormat('en-GB', parts).format(new Date(`${date}T12:00:00Z`));
}

/** From the request to the end of the answer, and from the call of the page to the parsed answer. */
type HomeTimes = { readonly answeredMs: number; readonly readMs: number };

/** Reads Home as its page does. */
const MEASURE_HOME = `async (range) => {
  performance.clearResourceTimings();
  const start = performance.now();
  const answer = await fetch('/dashboard/api/live/overview?range=' + range, { cache: 'no-store' });
  const { series } = await answer.json();
  const readMs = performance.now() - start;
  if (!series.requests.n.some((n) => n > 0)) throw new Error('Home shows no requests');
  const [timing] = performance.getEntriesByName(answer.url);
  if (!(timing?.requestStart > 0)) throw new Error('the call has no times');
  return { readMs, answeredMs: timing.responseEnd - timing.requestStart };
}`;

/** Goes to the day before, and answers the milliseconds from its last answer to the frame that shows all of it. */
const MEASURE_DAY = `(date, title, short) => new Promise((resolve, reject) => {
  const deadline = performance.now() + 30000;
  const calls = ['week', 'river', 'values', 'values/steps'];
  performance.clearResourceTimings();
  const look = () => {
    const answered = performance.getEntriesByType('resource')
      .filter(({ name }) => calls.some((call) => new URL(name).pathname.endsWith('/days/' + date + '/' + call)));
    const isShown = [...document.querySelectorAll('h2')].some(({ textContent }) => textContent === title) &&
      document.querySelector('article[aria-label="Steps"]')?.textContent.includes(short) &&
      document.querySelector('nav a[aria-current][href*="' + date + '"]') !== null;
    if (performance.now() > deadline) return reject(new Error(title + ' is not shown; ' + answered.length + ' answers'));
    if (answered.length < calls.length || !isShown) return requestAnimationFrame(look);
    requestAnimationFrame(() => resolve(performance.now() - Math.max(...answered.map(({ responseEnd }) => responseEnd))));
  };
  document.body.dispatchEvent(new KeyboardEvent('keydown', { key: 'ArrowLeft', bubbles: true }));
  look();
})`;

/** Zooms in and out once per frame, and answers the milliseconds of each frame. */
const MEASURE_ZOOM = `() => new Promise((resolve, reject) => {
  const chart = document.activeElement;
  const keys = '++++++++--------';
  const steps = 96;
  const times = [];
  const pictures = new Set();
  const step = (now) => {
    times.push(now);
    pictures.add(chart.querySelector('path').getAttribute('d'));
    if (times.length > steps) {
      if (pictures.size < keys.length / 2) return reject(new Error(pictures.size + ' different pictures'));
      return resolve(times.slice(1).map((time, index) => time - times[index]));
    }
    chart.dispatchEvent(new KeyboardEvent('keydown', { key: keys[times.length % keys.length], bubbles: true }));
    requestAnimationFrame(step);
  };
  requestAnimationFrame(step);
})`;

/** Four devices, a sample every two minutes for three weeks. */
function makeColumns() {
  const count = POINTS / 4;
  const stepMs = 120_000;
  const t0 = Date.now() - count * stepMs;
  const devices = [1, 2, 3, 4].map((number) => ({
    number,
    t0,
    step_ms: stepMs,
    dt: Array.from({ length: count }, (_, index) => (index === 0 ? 0 : 1)),
    v: Array.from(
      { length: count },
      (_, index) => 60 + number * 10 + Math.round(20 * Math.sin(index / 40) + (index % 7)),
    ),
    count,
  }));
  return { metric: 'heart_rate', unit: 'bpm', kind: 'sample', devices };
}
