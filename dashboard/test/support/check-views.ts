// Shows a page in light and dark, wide and narrow: no axe violation, no sideways scrolling, a screenshot for review.
import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import type { Page } from 'playwright-core';
import { type Dashboard, HEIGHTS, type OpenOptions, type View } from './start-dashboard.ts';

const VIEWS: readonly View[] = [
  { theme: 'light', width: 1280 },
  { theme: 'dark', width: 1280 },
  { theme: 'dark', width: 390 },
  { theme: 'light', width: 390 },
];
const SHOTS = path.resolve(import.meta.dirname, '../../shots');

type ViewCheck = {
  /** Name of the screenshots. */
  readonly name: string;
  readonly path: string;
  readonly member?: OpenOptions['member'];
  readonly prepare?: OpenOptions['prepare'];
  /** Brings the page into the state to look at, and waits for it. */
  readonly ready: (page: Page) => Promise<unknown>;
};

export async function checkViews(
  dashboard: Dashboard,
  { name, path: address, member, prepare, ready }: ViewCheck,
): Promise<void> {
  const page = await dashboard.open(address, { ...(member && { member }), ...(prepare && { prepare }) });
  await ready(page);
  await checkShownViews(page, name);
  await page.context().close();
}

/** The four views of a page that is open. Afterwards it is wide and light again. */
export async function checkShownViews(page: Page, name: string): Promise<void> {
  for (const view of VIEWS) {
    await show(page, view);
    await saveShot(page, `${name}-${view.width}-${view.theme}`);
    await checkAccessibility(page, `${name}, ${view.theme}, ${view.width}`);
    await checkNoSidewaysScroll(page, `${name}, ${view.theme}`);
  }
  await show(page, { theme: 'light', width: 1280 });
}

/** Waits until the new size and colours are drawn: charts measure their width, and draw again in the next frame. */
async function show(page: Page, { theme, width }: View): Promise<void> {
  await page.emulateMedia({ colorScheme: theme });
  await page.setViewportSize({ width, height: HEIGHTS[width] });
  await page.evaluate(SETTLED);
}

const SETTLED = `(async () => {
  const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
  await document.fonts.ready;
  for (let count = 0; count < 3; count += 1) await frame();
})()`;

/** Chromium draws nothing of an element that was never scrolled into view, not even in the picture of a whole page. */
const SHOW_ALL = `for (const element of document.querySelectorAll('*'))
  if (getComputedStyle(element).contentVisibility === 'auto') element.style.contentVisibility = 'visible'`;

/** Only with TEST_SHOTS set. */
export async function saveShot(page: Page, name: string): Promise<void> {
  if (!process.env.TEST_SHOTS) return;
  mkdirSync(SHOTS, { recursive: true });
  await page.evaluate(SHOW_ALL);
  await page.screenshot({ path: path.join(SHOTS, `${name}.png`), fullPage: true });
}

/** `rules: 'wcag'` is for a mail, which is not a page and needs no landmarks. */
export async function checkAccessibility(page: Page, where: string, rules: 'all' | 'wcag' = 'all'): Promise<void> {
  const limit = rules === 'all' ? '' : ", runOnly: ['wcag2a', 'wcag2aa', 'wcag21aa']";
  if (!(await page.evaluate('"axe" in window'))) await page.evaluate(await readAxe());
  const found = (await page.evaluate(
    `axe.run(document, { resultTypes: ['violations']${limit} }).then(({ violations }) => violations.map(({ id, nodes }) =>
      id + ': ' + nodes.map(({ html, failureSummary }) => html.slice(0, 160) + ' | ' + failureSummary).slice(0, 3).join(' / ')))`,
  )) as string[];
  assert.deepEqual(found, [], where);
}

export async function checkNoSidewaysScroll(page: Page, where: string): Promise<void> {
  const [content, window] = (await page.evaluate('[document.documentElement.scrollWidth, innerWidth]')) as [
    number,
    number,
  ];
  assert.ok(content <= window, `${where}: ${content} px of content in ${window} px`);
}

let axe: Promise<string> | null = null;

export function readAxe(): Promise<string> {
  axe ??= readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
  return axe;
}
