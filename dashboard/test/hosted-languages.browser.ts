// The hosted pages in every language.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { LANGUAGES } from '../../server/src/domain/texts/index.ts';
import { checkNoSidewaysScroll, saveShot } from './support/check-views.ts';
import { checkPrimaryButton, type Hosted, startHosted } from './support/start-hosted.ts';

let hosted: Hosted;
before(async () => {
  hosted = await startHosted();
});
after(() => hosted.stop());

describe('languages', () => {
  for (const language of LANGUAGES)
    it(`${language}: fits on a phone, with the primary button in view`, async () => {
      const { link, portalLink } = await hosted.invite();
      const addresses = {
        start: '/',
        pick: await hosted.beginConnection(),
        consent: await hosted.beginConnection({ provider: 'google_health' }),
        invitation: link,
        portal: portalLink,
        gone: '/connect/result/cr_nonsense',
      };
      for (const [name, address] of Object.entries(addresses)) {
        const page = await hosted.visit(address, { language });
        assert.equal(await page.locator('html').getAttribute('lang'), language);
        for (const [width, height] of [
          [390, 664],
          [1280, 720],
        ] as const) {
          await page.setViewportSize({ width, height });
          await checkNoSidewaysScroll(page, `${name}, ${language}`);
          await checkPrimaryButton(page, `${name}, ${language}, ${width}`);
        }
        await page.setViewportSize({ width: 390, height: 664 });
        await saveShot(page, `language-${language}-${name}`);
        await page.context().close();
      }
    });
});
