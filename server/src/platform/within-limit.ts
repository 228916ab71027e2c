// Stops waiting after a time limit. The work itself continues.

export async function withinLimit<Result>(requested: Promise<Result>, limitMs: number): Promise<Result> {
  const { promise, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error(`no response within ${limitMs} ms`)), limitMs);
  try {
    return await Promise.race([requested, promise]);
  } finally {
    clearTimeout(timer);
  }
}
