// What all reads of a person's data share: the user, ranges of days, lists of ids, units.
export {
  type DateRange,
  expectForm2Range,
  form1RangeQuery,
  form2RangeQuery,
  readForm1Range,
  resolveForm2Range,
} from './date-range.ts';
export { parseIdList } from './id-list.ts';
export { openForReading, type ReadingContext } from './open-for-reading.ts';
export { OWN_PROVIDER } from './own-provider.ts';
export {
  includeSourcesQuery,
  presentValue,
  roundTo,
  UNIT_SYSTEMS,
  type UnitSystem,
  unitOf,
  unitSystemQuery,
} from './present-value.ts';
