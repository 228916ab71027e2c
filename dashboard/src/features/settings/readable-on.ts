/** White or ink, whichever has more contrast on a colour such as #0b6a8f (WCAG relative luminance). */
export function readableOn(colour: string): '#ffffff' | '#14222e' {
  const luminance = luminanceOf(colour);
  const [onWhite, onInk] = [1.05 / (luminance + 0.05), (luminance + 0.05) / (luminanceOf('#14222e') + 0.05)];
  return onWhite >= onInk ? '#ffffff' : '#14222e';
}

function luminanceOf(colour: string): number {
  const hex = colour.length === 4 ? colour.replace(/[\da-f]/gi, '$&$&') : colour;
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) =>
    linear(Number.parseInt(hex.slice(at, at + 2), 16) / 255),
  );
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function linear(part: number): number {
  return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
}
