const WIDTH = 560;
const HEIGHT = 200;
const LABEL_HEIGHT = 16;

/** Bars of one metric, as SVG. A day without a value has no bar. */
export function drawChart({ dates, values }) {
  const largest = Math.max(1, ...values.map((value) => value ?? 0));
  const step = WIDTH / Math.max(1, dates.length);
  const bars = dates.map((date, index) => {
    const value = values[index];
    const height = value === null ? 0 : (value / largest) * (HEIGHT - 2 * LABEL_HEIGHT);
    const y = HEIGHT - LABEL_HEIGHT - height;
    const x = index * step;
    const title = `<title>${date}: ${value ?? 'no value'}</title>`;
    const bar = `<rect x="${round(x + 2)}" y="${round(y)}" width="${round(step - 4)}" height="${round(height)}" rx="2">${title}</rect>`;
    return `${bar}<text x="${round(x + step / 2)}" y="${HEIGHT - 2}">${date.slice(8)}</text>`;
  });
  const label = `Steps from ${dates[0]} to ${dates.at(-1)}, at most ${Math.round(largest)} a day`;
  return `<svg viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="${label}">${bars.join('')}</svg>`;
}

function round(value) {
  return Math.round(value * 10) / 10;
}
