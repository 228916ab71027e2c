export { tidyRawPayloadsJob } from './jobs.ts';
export { packPayload, unpackPayload } from './pack.ts';
export {
  insertPayloads,
  listPayloadIds,
  listUsersWithPayloads,
  type RawPayload,
  readPayload,
  removePayloads,
  removePayloadsOfDevice,
} from './store.ts';
