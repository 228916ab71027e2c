export { tidyRawPayloadsJob } from './jobs.ts';
export {
  insertPayloads,
  listPayloadIds,
  listPayloadPage,
  listPayloadsWithRoutes,
  listUsersWithPayloads,
  type RawPayload,
  readPayload,
  removePayloads,
  removePayloadsOfDevice,
} from './store.ts';
