export { type Device, presentDevice } from './device.ts';
export { deviceRoutes } from './routes.ts';
export { deviceReply } from './schemas.ts';
export { DEVICES_OF_USER, type DeviceJson, removeDevices, toDevice } from './store.ts';
