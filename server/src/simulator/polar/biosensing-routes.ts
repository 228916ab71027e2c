// Sensor data for a range of dates.
import type { AccountDay, AccountView } from '../account-view.ts';
import type { SimulatedRoute } from '../dialect.ts';
import { replyJson } from '../reply-json.ts';
import { listBodyTemperatures, listOxygenTests, listSkinTemperatures } from './biosensing.ts';
import { readRange } from './read-range.ts';
import { badRequest, nothingThere } from './refuse.ts';
import { dataRoute } from './registration.ts';

const LISTS: Readonly<Record<string, (view: AccountView, day: AccountDay) => unknown[]>> = {
  spo2: listOxygenTests,
  skintemperature: listSkinTemperatures,
  bodytemperature: listBodyTemperatures,
};

export const biosensingRoutes: readonly SimulatedRoute[] = Object.entries(LISTS).map(([name, list]) =>
  dataRoute({
    path: `/v3/users/biosensing/${name}`,
    answer(call) {
      const range = readRange(call);
      if (range === null) return badRequest();
      const found = call.view.days(range.from, range.to).flatMap((day) => list(call.view, day));
      return found.length === 0 ? nothingThere() : replyJson(200, found);
    },
  }),
);
