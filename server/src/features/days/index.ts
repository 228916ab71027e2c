export { collectDayColumn, type DayColumn } from './day-column.ts';
export {
  type DailyMonth,
  type DailyMonthsWithDevices,
  type DeviceMonth,
  listMonths,
  listMonthsOfDevice,
  loadDailySheets,
  readDailyMonths,
  readDailyMonthsWithDevices,
  readDeviceMonths,
  removeDays,
  removeDeviceMonths,
  writeDailyMonths,
  writeDeviceMonths,
} from './store.ts';
