// getmeas: newest first.
import type { RawReply } from '../../platform/http/raw-route.ts';
import type { PersonCall, SimulatedRoute } from '../dialect.ts';
import { refuseParameter, replyBody } from './answer.ts';
import { listGroups, type MeasureGroup } from './measure-groups.ts';
import { cutPage, readInterval, readSeconds, toSeconds } from './rows.ts';

export const measureRoute: SimulatedRoute = {
  method: 'POST',
  path: '/measure',
  form: { action: 'getmeas' },
  access: 'person',
  scope: 'user.metrics',
  answer,
};

function answer({ view, form }: PersonCall): RawReply {
  const since = readSeconds(form, 'lastupdate');
  const interval = readInterval(form);
  if (since !== null && interval !== null) return refuseParameter('lastupdate and dates exclude each other');
  const types = form.get('meastypes') ?? form.get('meastype');
  const isRequested = ({ date, modified, category }: MeasureGroup) =>
    (form.get('category') ?? String(category)) === String(category) &&
    modified * 1_000 >= (since ?? 0) &&
    (interval === null || (date * 1_000 >= interval.from && date * 1_000 <= interval.to));
  const groups = view
    .days(view.firstDate, view.today)
    .flatMap((day) => listGroups(view, day))
    .filter(isRequested)
    .flatMap((group) => present(group, types?.split(',').map(Number) ?? null))
    .sort((a, b) => b.date - a.date);
  const { items, next } = cutPage(groups, form);
  return replyBody({
    updatetime: toSeconds(view.nowMs),
    timezone: view.account.zone.name,
    measuregrps: items,
    ...(next !== null && { more: 1, offset: next }),
  });
}

/** Nothing if it has none of the types. */
function present({ appli: _appli, measures, ...group }: MeasureGroup, types: readonly number[] | null) {
  const requested = measures.filter(({ type }) => types === null || types.includes(type));
  return requested.length === 0 ? [] : [{ ...group, measures: requested }];
}
