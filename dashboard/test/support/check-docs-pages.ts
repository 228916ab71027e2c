// The rules of axe on many pages of one site, in light and dark, wide and narrow. To bound the time, a page is loaded once and all rules run
// once; in the narrow window, those that read the layout run again. Colors are measured in both themes, on the first text of each kind.
// Whatever the rules, axe first reads the whole page, so those of a view run at once.
import type { BrowserContext, Page } from 'playwright-core';
import { checkNoSidewaysScroll, readAxe } from './check-views.ts';

const SIZES = [
  { width: 1280, height: 900 },
  { width: 390, height: 664 },
] as const;
/** The second window begins with the theme that the first one ended with: a change draws the page again. */
const THEMES = [
  ['light', 'dark'],
  ['dark', 'light'],
] as const;
const TABS = 2; // a renderer each

const COLOR_RULES = ['color-contrast', 'link-in-text-block'];
const LAYOUT_RULES = ['scrollable-region-focusable', 'target-size'];

/** One line per fault, with page and view. Every `details` of a page is open. `measured`: what other pages have shown already. */
export async function findFaultsOfPages(
  context: BrowserContext,
  addresses: readonly string[],
  measured: Set<string>,
): Promise<string[]> {
  const waiting = [...addresses];
  const faults: string[] = [];
  const work = async () => {
    const page = await context.newPage();
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      await page.setViewportSize(SIZES[0]);
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
  for (const [index, size] of SIZES.entries()) {
    await page.setViewportSize(size);
    await checkNoSidewaysScroll(page, String(size.width)).catch((error: Error) => faults.push(error.message));
    for (const theme of THEMES[index] ?? []) {
      const view = `${theme}, ${size.width}`;
      await page.emulateMedia({ colorScheme: theme });
      const others = theme !== THEMES[index]?.[0] ? [] : index === 0 ? 'all' : LAYOUT_RULES;
      faults.push(...(await findFaultsOfView(page, theme, others, measured)).map((fault) => `${view}: ${fault}`));
    }
  }
  return faults;
}

/** `others`: the rules beside those for colors. */
async function findFaultsOfView(
  page: Page,
  theme: string,
  others: 'all' | readonly string[],
  measured: Set<string>,
): Promise<string[]> {
  const texts: string[] = await page.evaluate(FIND_TEXTS);
  const unknown = texts.flatMap((text, index) => (measured.has(`${theme} ${text}`) ? [] : [index]));
  if (unknown.length === 0 && others.length === 0) return [];
  for (const index of unknown) measured.add(`${theme} ${texts[index]}`);
  const measuresColors = unknown.length > 0;
  const rules =
    others === 'all'
      ? { rules: Object.fromEntries(COLOR_RULES.map((id) => [id, { enabled: measuresColors }])) }
      : { runOnly: [...others, ...(measuresColors ? COLOR_RULES : [])] };
  return page.evaluate(`${RUN}(${JSON.stringify(rules)}, ${JSON.stringify(unknown)})`);
}

/**
 * The kinds of text: names in the style sheet, and all that decides about contrast; of a link, also the color around it. Keeps the first
 * element of each kind for RUN.
 */
const FIND_TEXTS = `(() => {
  const behind = new Map([[null, '']]);
  const findBehind = (element) => {
    if (behind.has(element)) return behind.get(element);
    const { backgroundColor, backgroundImage, opacity, position } = getComputedStyle(element);
    const isOpaque = /^rgb\\(/.test(backgroundColor) && opacity === '1' && position === 'static';
    const own = [backgroundColor, backgroundImage, opacity, position].join(' ');
    const found = isOpaque ? own : own + ' on ' + findBehind(element.parentElement);
    behind.set(element, found);
    return found;
  };
  const nameOf = ({ tagName, className }) => tagName + '.' + className;
  const first = new Map();
  for (const element of document.body.querySelectorAll('*')) {
    if (![...element.childNodes].some((node) => node.nodeType === 3 && node.data.trim() !== '')) continue;
    if (!element.checkVisibility()) continue;
    const { color, fontSize, fontWeight } = getComputedStyle(element);
    const around = element.tagName === 'A' ? getComputedStyle(element.parentElement).color : '';
    const names = nameOf(element) + ' in ' + nameOf(element.parentElement);
    const text = [names, color, findBehind(element), fontSize, fontWeight, around].join(' ');
    if (!first.has(text)) first.set(text, element);
  }
  window.foundTexts = [...first.values()];
  return [...first.keys()];
})()`;

/** `texts`: the kinds whose contrast is measured, by their index in FIND_TEXTS. */
const RUN = `((rules, texts) => {
  for (const index of texts) foundTexts[index].setAttribute('data-measured', '');
  axe.configure({ rules: [{ id: 'color-contrast', selector: '[data-measured]' }] });
  return axe.run(document, { resultTypes: ['violations'], preload: false, ...rules }).then(({ violations }) => {
    for (const index of texts) foundTexts[index].removeAttribute('data-measured');
    return violations.map(({ id, nodes }) => id + ': ' + nodes.map(({ html, failureSummary }) =>
      html.slice(0, 160) + ' | ' + failureSummary).slice(0, 3).join(' / '));
  });
})`;
