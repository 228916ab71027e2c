// Shared by all reads of a user's data: opening the user, date ranges, id lists, units, session pages and sources.

export { formatClock } from './clock-time.ts';
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
export { type ConditionalContext, openForRead, openForReadWith, type ReadContext } from './open-user.ts';
export { createMeasure } from './present-measure.ts';
export { includeSourcesQuery, parseIdList, unitSystemQuery } from './query-parameters.ts';
export { form2ListQuery, type PageQuery, parseForm2Page, planPage } from './session-page.ts';
export {
  COMPUTED_PROVIDER,
  presentSourceDetail,
  presentSourceForm1,
  readSources,
  type Sourced,
  sourceDetail,
  sourceForm1,
  valueSource,
  withSources,
} from './session-source.ts';
