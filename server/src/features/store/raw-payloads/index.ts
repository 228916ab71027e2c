export { tidyRawPayloadsJob } from './jobs.ts';
export {
  insertPayloads,
  listPayloadIds,
  listUsersWithPayloads,
  type RawPayload,
  readPayload,
  removePayloads,
  removePayloadsOfDevice,
} from './store.ts';
