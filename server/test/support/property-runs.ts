// How often a property is tested. The long stage runs every file that imports this with the full number, the quick stage with a part of
// it, so that `npm test -- --pure` takes seconds.

const isFull = process.env.TEST_PROPERTY_RUNS === 'full';
const QUICK_PART = 10;

export function runsOf(full: number): number {
  return isFull ? full : Math.ceil(full / QUICK_PART);
}
