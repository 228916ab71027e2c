export {
  DEVICE_STATUSES,
  DEVICES_OF_USER,
  type Device,
  type DeviceJson,
  type DeviceStatus,
  removeDevices,
  toDevice,
} from './store.ts';
