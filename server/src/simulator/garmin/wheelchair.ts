// A watch in wheelchair mode: it counts pushes instead of steps. Accounts whose name begins so have one.
import type { AccountView } from '../account-view.ts';

const NAME = 'wheelchair';

export function isInWheelchair({ account }: AccountView): boolean {
  return account.seed.startsWith(NAME);
}

/** What the watch makes of the movements of a span. */
export function countMoves(view: AccountView, moves: number, metres: number) {
  if (!isInWheelchair(view)) return { steps: moves, distanceInMeters: metres };
  return { steps: 0, distanceInMeters: 0, pushes: moves, pushDistanceInMeters: metres };
}
