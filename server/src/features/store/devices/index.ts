export { barSource, hashReadableBars } from './bar-source.ts';
export { connectCloudDevice, openCloudDevice } from './cloud-device.ts';
export { closeDevice, recordScopes, removeClosedDevices } from './connecting-store.ts';
export { countDevicesByProvider, type DeviceCount } from './count-store.ts';
export {
  addDevices,
  type Backfill,
  type Device,
  type DeviceScopes,
  getDeviceOrThrow,
  isConnected,
  LISTED_AFTER_CLOSING_MS,
  presentDevice,
  type SourceDevice,
  type SourceLabel,
} from './device.ts';
export { type DeviceFacts, listDeviceFacts } from './device-facts-store.ts';
export { type ListedDevice, listDevicesOfUsers, listUsersToReconnect } from './directory-store.ts';
export { connectCloudSource, type OpenedSource, openSource } from './open-source.ts';
export {
  countDevicesByOrigin,
  type DeviceToReconnect,
  listDevicesToReconnect,
  listNames,
  listOrigins,
} from './origin-store.ts';
export { listOtherInstallations } from './other-installations.ts';
export { type RestrictedProvider, readRestricted } from './read-restricted.ts';
export { readUserWithDevices } from './read-user-with-devices.ts';
export { type RestoredSource, restoreSource } from './restore-source.ts';
export { limitFields, presentLimits, presentRestricted, restrictedProvider } from './restriction-schemas.ts';
export { deviceRoutes } from './routes.ts';
export { deviceReply } from './schemas.ts';
export { barOfSource, identifySource, type SourceDescription } from './source.ts';
export {
  awaitReauthorization,
  endReauthorization,
  listDevices,
  listKnownSources,
  listSourceDevices,
  listSourceLabels,
  recordBackfill,
  recordDeviceSync,
  removeDevice,
  removeDevices,
  removeEndedBars,
} from './store.ts';
