export { type DateRangesColumn, readDateRanges, selectDateRanges, writeDateRanges } from './date-ranges.ts';
export { collectDayColumn, type DayColumn } from './day-column.ts';
export {
  type DailyMonths,
  type DailyMonthsWithDevices,
  type DeviceMonth,
  listMonthsOfDevice,
  listStoredMonths,
  loadDailySheets,
  loadMonths,
  openWithDailyMonths,
  readDailyMonths,
  readDailyMonthsWithDevices,
  readDeviceMonths,
  removeDays,
  removeDeviceMonths,
  writeDailyMonths,
  writeDeviceMonths,
} from './store.ts';
