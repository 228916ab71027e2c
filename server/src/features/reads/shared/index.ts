// What all reads of a person's data share: the user, date ranges, lists of ids, units, pages and sources of sessions.

export { formatClock } from './clock-time.ts';
export { COMPUTED_PROVIDER } from './computed-provider.ts';
export {
  type DateRange,
  expectForm2Range,
  type Form2Range,
  findNamedForm2Range,
  form1RangeQuery,
  form2RangeQuery,
  readForm1Range,
  resolveForm2Range,
} from './date-range.ts';
export { parseIdList } from './id-list.ts';
export { openForRead, type ReadContext } from './open-user.ts';
export { createMeasure, type PresentMeasure } from './present-measure.ts';
export { DEFAULT_LIMIT, form2ListQuery, type PageQuery, planPage } from './session-page.ts';
export {
  presentSourceDetail,
  presentSourceForm1,
  readSources,
  type Sourced,
  sourceDetail,
  sourceForm1,
  withSources,
} from './session-source.ts';
export { includeSourcesQuery, unitSystemQuery } from './unit-query.ts';
