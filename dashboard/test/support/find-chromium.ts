import { existsSync } from 'node:fs';

const PLACES = [
  '/usr/bin/chromium-headless-shell', // the same engine without the windows; a context costs a third of the CPU time
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];

/** CHROMIUM, or where systems install it; null if there is none. */
export function findChromium(): string | null {
  return [process.env.CHROMIUM ?? '', ...PLACES].find((place) => place !== '' && existsSync(place)) ?? null;
}
