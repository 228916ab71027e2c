// Results, newest first, one by its id, and the strokes of one.
import type { RawReply } from '../../platform/http/raw-route.ts';
import type { PersonCall, SimulatedRoute } from '../dialect.ts';
import { replyJson } from '../reply-json.ts';
import { refuseConcept2, replyError } from './refuse.ts';
import { listResults, listStrokes, type Result } from './results.ts';

const PATH = '/api/users/{user}/results';
const DEFAULT_SIZE = '50';
const MAX_SIZE = 250;

const person = { method: 'GET', access: 'person', scope: 'results:read' } as const;

export const resultRoutes: readonly SimulatedRoute[] = [
  { ...person, path: PATH, answer: answerList },
  { ...person, path: `${PATH}/{id}`, answer: (call: PersonCall) => answerOne(call, ({ body }) => ({ data: body })) },
  {
    ...person,
    path: `${PATH}/{id}/strokes`,
    answer: (call: PersonCall) => answerOne(call, ({ workout }) => ({ data: listStrokes(workout) })),
  },
];

function answerList(call: PersonCall): RawReply {
  const { query } = call;
  const size = Number(query.get('number') ?? DEFAULT_SIZE);
  const page = Number(query.get('page') ?? '1');
  if (![size, page].every((one) => Number.isInteger(one) && one > 0) || size > MAX_SIZE)
    return replyError(422, 'Invalid page');
  const found = listAll(call).filter((result) => isRequested(result, query));
  const data = found.slice((page - 1) * size, page * size).map(({ body }) => body);
  const pagination = {
    total: found.length,
    count: data.length,
    per_page: size,
    current_page: page,
    total_pages: Math.max(1, Math.ceil(found.length / size)),
    links: {},
  };
  return replyJson(200, { data, meta: { pagination } });
}

/** `from` and `to` are local dates, both included; `updated_after` is in UTC. */
function isRequested({ date, updatedMs }: Result, query: URLSearchParams): boolean {
  const from = query.get('from')?.slice(0, 10);
  const to = query.get('to')?.slice(0, 10);
  const updatedAfter = query.get('updated_after')?.replace(' ', 'T');
  return (
    (from === undefined || date >= from) &&
    (to === undefined || date <= to) &&
    (updatedAfter === undefined || updatedMs > Date.parse(`${updatedAfter}Z`))
  );
}

function answerOne(call: PersonCall, write: (result: Result) => unknown): RawReply {
  const found = listAll(call).find(({ id }) => String(id) === call.params.id);
  return found === undefined ? refuseConcept2('not_found') : replyJson(200, write(found));
}

function listAll({ view }: PersonCall): Result[] {
  return view
    .days(view.firstDate, view.today)
    .flatMap((day) => listResults(view, day))
    .toSorted((a, b) => b.workout.end - a.workout.end);
}
