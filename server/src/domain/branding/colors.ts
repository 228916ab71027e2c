// Colors as #rrggbb, and their contrast as WCAG 2 defines it. Pure.

const LONG = /^#[0-9a-f]{6}$/;
const SHORT = /^#[0-9a-f]{3}$/;

/** Null: not a color. */
export function parseColor(text: string): string | null {
  const color = text.trim().toLowerCase();
  if (SHORT.test(color)) return color.replace(/[0-9a-f]/g, '$&$&');
  return LONG.test(color) ? color : null;
}

/** From 1 (the same color) to 21 (black and white). */
export function contrastOf(one: string, other: string): number {
  const [dark, light] = [luminanceOf(one), luminanceOf(other)].sort((a, b) => a - b) as [number, number];
  return (light + 0.05) / (dark + 0.05);
}

const DARK_TEXT = '#10181f';
const LIGHT_TEXT = '#ffffff';

/** The more readable text color on a filled button. */
export function textColorOn(background: string): string {
  return contrastOf(background, LIGHT_TEXT) >= contrastOf(background, DARK_TEXT) ? LIGHT_TEXT : DARK_TEXT;
}

export const READABLE_CONTRAST = 4.5; // WCAG 2, level AA, for text of normal size
const STEPS = 20;

/** The color, mixed with black or white until text in it is readable on the background. */
export function makeReadable(color: string, background: string): string {
  const target = luminanceOf(background) > 0.18 ? '#000000' : '#ffffff';
  for (let step = 0; step < STEPS; step += 1) {
    const mixed = mix(color, target, step / STEPS);
    if (contrastOf(mixed, background) >= READABLE_CONTRAST) return mixed;
  }
  return target;
}

function mix(color: string, other: string, share: number): string {
  const [from, to] = [channelsOf(color), channelsOf(other)];
  const mixed = from.map((channel, index) => Math.round(channel + ((to[index] ?? 0) - channel) * share));
  return `#${mixed.map((channel) => channel.toString(16).padStart(2, '0')).join('')}`;
}

function luminanceOf(color: string): number {
  const [red = 0, green = 0, blue = 0] = channelsOf(color).map((channel) => {
    const share = channel / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function channelsOf(color: string): number[] {
  return [1, 3, 5].map((start) => Number.parseInt(color.slice(start, start + 2), 16));
}
