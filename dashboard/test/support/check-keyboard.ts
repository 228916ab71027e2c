// Walks through a page with Tab: every control is reached, and each shows where the focus is.
import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';

const MORE_STEPS = 30; // scrolling areas take the focus too

export async function checkKeyboard(page: Page, where: string): Promise<void> {
  const count = (await page.evaluate(COLLECT)) as number;
  assert.ok(count > 0, `${where}: no control`);
  for (let step = 0; step < count + MORE_STEPS; step += 1) {
    await page.keyboard.press('Tab');
    if (await page.evaluate('focusWalk.record()')) break;
  }
  const { missed, unmarked } = (await page.evaluate('focusWalk.finish()')) as Record<'missed' | 'unmarked', string[]>;
  assert.deepEqual(missed, [], `${where}: not reached with Tab`);
  assert.deepEqual(unmarked, [], `${where}: no visible focus`);
}

/** Of radio buttons with one name, Tab reaches one; inside a date, Tab moves between its parts. `record` answers true when the walk is back at its start. */
const COLLECT = `(() => {
  const isReachable = (element) => element.tabIndex >= 0 && !element.disabled && !element.closest('[inert]') &&
    element.checkVisibility({ visibilityProperty: true });
  const controls = [...document.querySelectorAll('a[href], button, input, select, textarea, summary, [tabindex="0"]')]
    .filter(isReachable);
  const hasOutline = (element) => getComputedStyle(element).outlineStyle !== 'none';
  const describe = (element) => element.outerHTML.slice(0, 120);
  const visited = new Set();
  const unmarked = [];
  let last = null;
  window.focusWalk = {
    record() {
      const element = document.activeElement;
      if (element === last) return false;
      if (element === null || element === document.body || visited.has(element)) return visited.size > 0;
      visited.add(element);
      last = element;
      const around = [element, element.parentElement, element.parentElement?.parentElement, element.nextElementSibling];
      if (!around.some((one) => one && hasOutline(one))) unmarked.push(describe(element));
      return false;
    },
    finish() {
      const isVisitedGroup = (one) => one.type === 'radio' && [...visited].some(({ type, name }) => type === 'radio' && name === one.name);
      const missed = controls.filter((one) => one.isConnected && !visited.has(one) && !isVisitedGroup(one)).map(describe);
      document.activeElement?.blur();
      return { missed, unmarked };
    },
  };
  document.activeElement?.blur();
  getSelection().removeAllRanges();
  return controls.length;
})()`;
