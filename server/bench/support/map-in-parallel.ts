// Runs a function over a list with a fixed number of calls in parallel.

export async function mapInParallel<Result>(
  count: number,
  atATime: number,
  work: (index: number) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  let next = 0;
  const worker = async () => {
    while (next < count) {
      const index = next++;
      results[index] = await work(index);
    }
  };
  await Promise.all(Array.from({ length: atATime }, worker));
  return results;
}
