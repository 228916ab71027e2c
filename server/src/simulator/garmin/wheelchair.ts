// A watch in wheelchair mode, which counts pushes instead of steps. Accounts with this name prefix have one.
import type { AccountView } from '../account-view.ts';

const NAME = 'wheelchair';

export function isInWheelchair({ account }: AccountView): boolean {
  return account.seed.startsWith(NAME);
}

/** The watch's counts for the movements of an interval. */
export function countMoves(view: AccountView, moves: number, metres: number) {
  if (!isInWheelchair(view)) return { steps: moves, distanceInMeters: metres };
  return { steps: 0, distanceInMeters: 0, pushes: moves, pushDistanceInMeters: metres };
}
