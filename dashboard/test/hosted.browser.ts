// The hosted pages as visitors see them: connect, invitation, privacy portal, mails and the start page.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { MINUTE_MS } from '../../server/src/domain/time/durations.ts';
import {
  writeInvitationMail,
  writeJoinedMail,
  writeLeftMail,
  writeLinkMail,
} from '../../server/src/features/people/roster/mails.ts';
import { ACCOUNT, checkPage, type Hosted, startHosted } from './support/start-hosted.ts';

let hosted: Hosted;
before(async () => {
  hosted = await startHosted();
});
after(() => hosted.stop());

const press = (page: Page, name: string | RegExp) => page.getByRole('button', { name }).click();
const heading = (page: Page, name: string | RegExp) => page.getByRole('heading', { level: 1, name }).waitFor();
const close = (page: Page) => page.context().close();

async function connect(page: Page): Promise<void> {
  await press(page, 'Continue to Oura');
  await heading(page, 'Connect a simulated Oura account?');
  await page.getByRole('button', { name: 'Allow', exact: true }).click();
}

describe('connecting an account', () => {
  it('lists providers, asks, leads through the simulator, and stays connected when the page is reloaded', async () => {
    const page = await hosted.visit(await hosted.beginConnection());
    await heading(page, 'Connect your device');
    await checkPage(page, 'pick');
    await press(page, 'Oura');
    await heading(page, `Share your Oura data with ${ACCOUNT}?`);
    const privacy = page.getByRole('link', { name: 'Privacy policy' });
    assert.equal(await privacy.getAttribute('href'), 'https://pulse.example/privacy');
    assert.equal(await page.getByRole('link', { name: 'Help' }).getAttribute('href'), 'https://pulse.example/help');
    await checkPage(page, 'consent');
    await press(page, 'Continue to Oura');
    await heading(page, 'Connect a simulated Oura account?');
    for (const box of await page.getByRole('checkbox').all()) assert.ok(await box.isChecked());
    await checkPage(page, 'simulator');
    await page.getByRole('button', { name: 'Allow', exact: true }).click();
    await heading(page, 'Oura is connected');
    assert.equal(new URL(page.url()).search, '');
    await page.reload();
    await heading(page, 'Oura is connected');
    await checkPage(page, 'connected');
    await close(page);
  });

  it('leads back to the app with the outcome', async () => {
    const redirect_url = `${hosted.service.url}/version`;
    const page = await hosted.visit(await hosted.beginConnection({ provider: 'oura', redirect_url }));
    await connect(page);
    await page.waitForURL(/\/version\?device_id=[\w-]+&status=active$/);
    await close(page);
  });

  it('says that only a part is shared', async () => {
    const page = await hosted.visit(await hosted.beginConnection({ provider: 'oura' }));
    await press(page, 'Continue to Oura');
    await page.getByRole('checkbox', { name: 'heartrate' }).uncheck();
    await page.getByRole('button', { name: 'Allow', exact: true }).click();
    await page.getByText('You did not share everything.').waitFor();
    await checkPage(page, 'connected-partly');
    await close(page);
  });

  it('does not call it connected when nothing is shared, and offers another try', async () => {
    const page = await hosted.visit(await hosted.beginConnection({ provider: 'oura' }));
    await press(page, 'Continue to Oura');
    await heading(page, 'Connect a simulated Oura account?');
    for (const box of await page.getByRole('checkbox').all()) await box.uncheck();
    await page.getByRole('button', { name: 'Allow', exact: true }).click();
    await heading(page, 'Oura was not connected');
    await page.getByText('did not share enough').waitFor();
    await checkPage(page, 'nothing-shared');
    await press(page, 'Try again');
    await heading(page, `Share your Oura data with ${ACCOUNT}?`);
    await close(page);
  });

  it('shows a refusal as a failure with a way back, and a used link as one that no longer works', async () => {
    const redirect_url = 'http://localhost:9/back';
    const link = await hosted.beginConnection({ provider: 'whoop', redirect_url });
    const page = await hosted.visit(`${link}?display=popup`);
    await page.route('http://localhost:9/**', (route) => route.abort());
    const isSentBack = page.waitForRequest(
      /localhost:9\/back\?device_id=[\w-]+&status=failed&failure_reason=declined&reason=declined$/,
    );
    await Promise.all([isSentBack, press(page, 'Do not share')]);
    await close(page);
    const used = await hosted.visit(link);
    await heading(used, 'This link is no longer valid');
    await used.getByRole('link', { name: `Back to ${ACCOUNT}` }).waitFor();
    await checkPage(used, 'used');
    await close(used);
    const denied = await hosted.visit(await hosted.beginConnection({ provider: 'whoop' }));
    await press(denied, 'Do not share');
    await heading(denied, 'WHOOP was not connected');
    await checkPage(denied, 'declined');
    await close(denied);
  });

  it('shows an expired link in its own way', async () => {
    const link = await hosted.beginConnection({ provider: 'oura' });
    const list = await hosted.beginConnection({ redirect_url: 'https://pulse.example/back' });
    hosted.clock.advance(31 * MINUTE_MS);
    const page = await hosted.visit(link);
    await heading(page, 'This link has expired');
    await page.locator('.outcome.expired').waitFor();
    await checkPage(page, 'expired');
    await page.goto(list);
    const back = page.getByRole('link', { name: `Back to ${ACCOUNT}` });
    assert.equal(await back.getAttribute('href'), 'https://pulse.example/back');
    await close(page);
  });
});

describe('an invitation', () => {
  it('asks, then leads to the devices; afterwards the link says so', async () => {
    const { link } = await hosted.invite({ name: 'Ada', message: 'Welcome to the team!\nSee you on Monday.' });
    const page = await hosted.visit(link);
    await heading(page, `${ACCOUNT} asks to see your health data`);
    await checkPage(page, 'invitation');
    await press(page, 'Accept and share');
    await heading(page, `You now share your health data with ${ACCOUNT}`);
    await checkPage(page, 'joined');
    await page.goto(link);
    await heading(page, 'This invitation has already been accepted');
    await checkPage(page, 'invitation-used');
    await close(page);
  });

  it('can be declined', async () => {
    const { link } = await hosted.invite();
    const page = await hosted.visit(link);
    await press(page, 'Decline');
    await heading(page, 'Invitation declined');
    await checkPage(page, 'invitation-declined');
    await close(page);
  });
});

describe('the privacy portal', () => {
  it('asks before sharing stops, and shares again', async () => {
    const { portalLink } = await hosted.join();
    const page = await hosted.visit(portalLink);
    await heading(page, 'Your health data');
    await checkPage(page, 'portal');
    await press(page, `Stop sharing with ${ACCOUNT}`);
    await heading(page, `Stop sharing with ${ACCOUNT}?`);
    await checkPage(page, 'portal-stop');
    await press(page, 'Keep sharing');
    await press(page, `Stop sharing with ${ACCOUNT}`);
    await press(page, 'Stop sharing');
    await page.getByRole('status').getByText('You no longer share').waitFor();
    await checkPage(page, 'portal-stopped');
    await press(page, `Share with ${ACCOUNT} again`);
    await page.getByRole('status').getByText('again').waitFor();
    await press(page, `Erase my data at ${ACCOUNT}`);
    await heading(page, `Erase your data at ${ACCOUNT}?`);
    await checkPage(page, 'portal-erase');
    await press(page, 'Keep my data');
    await press(page, 'Get a new link');
    await heading(page, 'A new link is on its way');
    await checkPage(page, 'portal-new-link');
    await page.goto(portalLink);
    await heading(page, 'This link is no longer valid');
    await checkPage(page, 'portal-replaced');
    await close(page);
  });
});

describe('exports', () => {
  it('downloads the format that was chosen', async () => {
    const { portalLink } = await hosted.join();
    const page = await hosted.visit(portalLink);
    const formats = page.getByRole('combobox', { name: 'Format' }).last();
    for (const [format, name] of [
      ['JSON: one file with everything', 'health-data.json'],
      ['CSV: daily values', 'health-data-daily.csv'],
      ['CSV: sleep', 'health-data-sleep.csv'],
      ['CSV: workouts', 'health-data-workouts.csv'],
    ] as const) {
      await formats.selectOption(format);
      const [download] = await Promise.all([page.waitForEvent('download'), press(page, 'Export everything')]);
      assert.equal(download.suggestedFilename(), name);
      await download.path(); // the next export starts when this one has ended
    }
    await close(page);
  });
});

describe('mails', () => {
  const NOW = new Date('2026-11-16T12:00:00Z');
  const addressed = {
    brand: {
      displayName: ACCOUNT,
      logoUrl: null,
      accentColor: '#c2410c',
      privacyUrl: 'https://pulse.example/privacy',
      supportUrl: null,
    },
    logo: null,
    name: 'Ada',
    portal: { link: 'https://health.example/my-data/x', expiresAt: NOW },
    host: 'health.example',
  };
  const invitation = { message: 'Welcome!', expiresAt: NOW, link: 'https://health.example/invitations/x' };

  it('have one button and say who sends them and why, in light and dark, also as plain text', async () => {
    const page = await hosted.visit('about:blank');
    for (const [name, mail] of Object.entries({
      invitation: writeInvitationMail({ ...addressed, language: 'en' }, invitation),
      joined: writeJoinedMail({ ...addressed, language: 'fr' }),
      left: writeLeftMail({ ...addressed, language: 'ja' }),
      link: writeLinkMail({ ...addressed, brand: null, language: 'nl' }),
    })) {
      await page.setContent(mail.html?.text ?? '');
      await checkPage(page, `mail-${name}`, 'wcag');
      assert.match(mail.text, /https:\/\/health\.example\/my-data\/x/);
      assert.match(mail.text, /\n-- \n.+\n.*health\.example/);
      assert.doesNotMatch(mail.text, /[<>]\w|&#/);
    }
    await close(page);
  });
});

describe('other pages', () => {
  it('the start page leads to the dashboard and the docs', async () => {
    const page = await hosted.visit('/');
    await checkPage(page, 'start');
    assert.equal(await page.getByRole('link', { name: /^Dashboard/ }).getAttribute('href'), 'dashboard');
    await page.getByRole('link', { name: /^Docs/ }).click();
    await heading(page, 'Tributary docs');
    await page.getByRole('main').getByRole('link', { name: 'Cloud connections' }).click();
    await heading(page, 'Cloud connections');
    await close(page);
  });
});
