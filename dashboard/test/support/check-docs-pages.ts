// Every rule of axe on many pages with the same style sheet, in light and dark, wide and narrow. Bounded in time: a page is loaded
// once; rules that read colors are repeated per theme, the others per width; and what looks the same on two pages has its
// colors measured once.
import type { BrowserContext, Page } from 'playwright-core';
import { checkNoSidewaysScroll, readAxe } from './check-views.ts';

const SIZES = [
  { width: 1280, height: 900 },
  { width: 390, height: 664 },
] as const;
const THEMES = ['light', 'dark'] as const;
const TABS = 2; // a renderer each

/** The rules that read colors. In the same window, all others find the same in light and dark. */
const COLOR_RULES = ['color-contrast', 'link-in-text-block'];

/** One line per fault, with page and view. Every `details` of a page is open. The navigation, the same everywhere, is for another test. */
export async function findFaultsOfPages(context: BrowserContext, addresses: readonly string[]): Promise<string[]> {
  const waiting = [...addresses];
  const measured = new Set<string>();
  const faults: string[] = [];
  const work = async () => {
    const page = await context.newPage();
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      await page.goto(next);
      await page.evaluate(await readAxe());
      await page.evaluate(`for (const one of document.querySelectorAll('details')) one.open = true`);
      faults.push(...(await findFaultsOfPage(page, measured)).map((fault) => `${next}, ${fault}`));
    }
    await page.close();
  };
  await Promise.all(Array.from({ length: TABS }, work));
  return faults;
}

async function findFaultsOfPage(page: Page, measured: Set<string>): Promise<string[]> {
  const faults: string[] = [];
  for (const size of SIZES) {
    await page.setViewportSize(size);
    await checkNoSidewaysScroll(page, String(size.width)).catch((error: Error) => faults.push(error.message));
    for (const theme of THEMES) {
      const view = `${theme}, ${size.width}`;
      await page.emulateMedia({ colorScheme: theme });
      const found = theme === 'light' ? await findOtherFaults(page) : [];
      found.push(...(await findColorFaults(page, view, measured)));
      faults.push(...found.map((fault) => `${view}: ${fault}`));
    }
  }
  return faults;
}

function findOtherFaults(page: Page): Promise<string[]> {
  const rules = Object.fromEntries(COLOR_RULES.map((id) => [id, { enabled: false }]));
  return page.evaluate(`${RUN}({ exclude: ['nav[aria-label=Docs]'] }, ${JSON.stringify({ rules })})`);
}

/** Measures one element of each kind that was not measured in this view before, on this page or another. */
async function findColorFaults(page: Page, view: string, measured: Set<string>): Promise<string[]> {
  const kinds: string[] = await page.evaluate(`[...${KINDS}.keys()]`);
  const unknown = kinds.filter((kind) => !measured.has(`${view} ${kind}`));
  if (unknown.length === 0) return [];
  for (const kind of unknown) measured.add(`${view} ${kind}`);
  const options = JSON.stringify({ runOnly: COLOR_RULES });
  return page.evaluate(
    `(() => { const kinds = ${KINDS}; return ${RUN}({ include: ${JSON.stringify(unknown)}.map((kind) => [kinds.get(kind)]) }, ${options}); })()`,
  );
}

/** Elements with text of their own by what the style sheet sees of them: tags, classes and current page, up to the body. */
const KINDS = `(() => {
  const own = (element) => element.tagName + [...element.classList].map((name) => '.' + name).join('') +
    (element.hasAttribute('aria-current') ? '[aria-current]' : '');
  const path = (element) => element === document.body ? '' : path(element.parentElement) + ' ' + own(element);
  const hasText = (element) => [...element.childNodes].some((node) => node.nodeType === 3 && node.data.trim() !== '');
  const kinds = new Map();
  for (const element of document.body.querySelectorAll('*'))
    if (hasText(element) && element.checkVisibility() && !kinds.has(path(element))) kinds.set(path(element), element);
  return kinds;
})()`;

const RUN = `((context, options) => axe.run(context, { resultTypes: ['violations'], preload: false, ...options }).then(({ violations }) =>
  violations.map(({ id, nodes }) => id + ': ' + nodes.map(({ html, failureSummary }) =>
    html.slice(0, 160) + ' | ' + failureSummary).slice(0, 3).join(' / '))))`;
