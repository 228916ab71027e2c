export { tidyRawPayloadsJob } from './jobs.ts';
export {
  insertPayloads,
  listPayloadIds,
  listPayloadPage,
  listUsersWithPayloads,
  type RawPayload,
  readPayload,
  removePayloads,
  removePayloadsOfDevice,
} from './store.ts';
