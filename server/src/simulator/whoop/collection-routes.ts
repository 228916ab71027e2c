// Collection routes: newest first by start time, one by its id, and the records of a cycle.
import { addDays } from '../../domain/time/calendar.ts';
import type { RawReply } from '../../platform/http/raw-route.ts';
import type { AccountDay } from '../account-view.ts';
import type { PersonCall, SimulatedRoute } from '../dialect.ts';
import { replyJson } from '../reply-json.ts';
import { COLLECTIONS, type Collection, CYCLES, RECOVERIES, SLEEPS } from './collections.ts';
import { cycleIdOf } from './cycles.ts';
import { replyPage } from './paging.ts';
import type { WhoopRecord } from './record.ts';
import { refuseRequest, refuseWhoop } from './refuse.ts';

export const collectionRoutes: readonly SimulatedRoute[] = COLLECTIONS.flatMap((collection): SimulatedRoute[] => {
  const { path, scope, isFoundById } = collection;
  const list: SimulatedRoute = {
    method: 'GET',
    path,
    access: 'person',
    scope,
    answer: (call) => answerList(collection, call),
  };
  if (!isFoundById) return [list];
  const answer = (call: PersonCall) => answerOne(collection, call);
  return [list, { method: 'GET', path: `${path}/{id}`, access: 'person', scope, answer }];
});

export const cycleRoutes: readonly SimulatedRoute[] = [
  ofCycle('recovery', RECOVERIES, () => true),
  ofCycle('sleep', SLEEPS, ({ body }) => body.nap === false),
];

function answerList({ path, list }: Collection, { view, query }: PersonCall): RawReply {
  const { zone } = view.account;
  const from = readTime(query.get('start'), zone.dayOf(addDays(view.firstDate, -1)).start);
  const to = readTime(query.get('end'), view.nowMs);
  if (from === null || to === null) return refuseRequest('start and end must be ISO 8601 date-times');
  const last = addDays(zone.dayAt(to).date, 1); // a night belongs to the day on which it ends
  const records = view
    .days(zone.dayAt(from).date, last)
    .flatMap((day) => list(view, day))
    .filter(({ startMs }) => startMs >= from && startMs < to);
  return replyPage(records, {
    query: [path, query.get('start') ?? '', query.get('end') ?? ''],
    limit: query.get('limit'),
    token: query.get('nextToken'),
  });
}

function answerOne({ list }: Collection, { view, params }: PersonCall): RawReply {
  for (const day of view.days(view.firstDate, view.today).reverse()) {
    const found = list(view, day).find(({ id }) => id === params.id);
    if (found !== undefined) return replyJson(200, found.body);
  }
  return refuseWhoop('not_found');
}

/** A cycle without a recorded night has none. */
function ofCycle(name: string, { scope, list }: Collection, isIt: (record: WhoopRecord) => boolean): SimulatedRoute {
  return {
    method: 'GET',
    path: `${CYCLES.path}/{id}/${name}`,
    access: 'person',
    scope,
    answer({ view, params }) {
      const isRequested = ({ date }: AccountDay) => String(cycleIdOf(view, date)) === params.id;
      const day = view.days(view.firstDate, view.today).find(isRequested);
      const found = day === undefined ? undefined : list(view, day).find(isIt);
      return found === undefined ? refuseWhoop('not_found') : replyJson(200, found.body);
    },
  };
}

function readTime(text: string | null, otherwise: number): number | null {
  const ms = text === null ? otherwise : Date.parse(text);
  return Number.isNaN(ms) ? null : ms;
}
