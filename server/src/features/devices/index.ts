export { type Device, presentDevice, type SourceDevice, type SourceLabel } from './device.ts';
export { connectCloudSource, type OpenedSource, openSource, type SourceOpening } from './open-source.ts';
export { deviceRoutes } from './routes.ts';
export { deviceReply } from './schemas.ts';
export { identifySource, type SourceDescription } from './source.ts';
export {
  DEVICES_OF_USER,
  type DeviceJson,
  disconnectSource,
  type KnownSource,
  listDevices,
  listKnownSources,
  listSourceDevices,
  listSourceLabels,
  recordDeviceSync,
  removeDevice,
  removeDevices,
  toDevice,
} from './store.ts';
