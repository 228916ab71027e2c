// The exponent b of y = a·x^b: the slope of a line through the logarithms.

export function fitExponent(points: readonly { readonly x: number; readonly y: number }[]): number {
  const logs = points.map(({ x, y }) => ({ x: Math.log(x), y: Math.log(Math.max(y, Number.MIN_VALUE)) }));
  const mean = (of: (log: { x: number; y: number }) => number) =>
    logs.reduce((sum, log) => sum + of(log), 0) / logs.length;
  const [meanX, meanY] = [mean(({ x }) => x), mean(({ y }) => y)];
  const covariance = mean(({ x, y }) => (x - meanX) * (y - meanY));
  return covariance / mean(({ x }) => (x - meanX) ** 2);
}
