export { listKeptUsers, listUsersOfAccount, listUsersToErase, startErasureOf } from './account-erasure-store.ts';
export { changeLockedUser, changeUser, withUserMutex } from './change-user.ts';
export {
  countUsersWithSettings,
  findUsersByIdPrefix,
  findUsersByMetadata,
  findUsersByReference,
  type ListedUser,
  listReferenceIds,
  listUserDirectory,
  listUsersById,
  type UserFilter,
  type UserPosition,
} from './directory-store.ts';
export { explainMissingUser } from './explain-missing-user.ts';
export {
  getUserForOperatorOrThrow,
  getUserHandleOrThrow,
  parseUserIdOrThrow,
  userNotFound,
} from './get-user-handle.ts';
export { holdUser, lockFreeUsers, lockOwnUser, lockUser, openUserForErasure } from './lock-store.ts';
export { profileFields, profileReply } from './profile-schema.ts';
export { readWithUser } from './range-store.ts';
export { withScoreStatus } from './score-status.ts';
export {
  advanceRevision,
  findReferenceHolder,
  findUserByReference,
  insertUser,
  listUnsharedBefore,
  listUsers,
  markUserDeleting,
  type OwnUser,
  openOwnUser,
  openUser,
  openUserRecord,
  type Profile,
  readProfile,
  readUserWith,
  recordScoring,
  recordSync,
  removeUser,
  saveConsolidation,
  shareUserAgain,
  type User,
  unshareUser,
  updateUser,
} from './store.ts';
export type { UserHandle } from './user-handle.ts';
