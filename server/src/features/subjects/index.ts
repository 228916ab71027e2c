export { changeUser, type LockedUser } from './change-user.ts';
export {
  getUserForOperatorOrThrow,
  getUserHandleOrThrow,
  parseUserIdOrThrow,
  userNotFound,
} from './get-user-handle.ts';
export {
  ACTIVE_USER,
  advanceRevision,
  findUserByReference,
  insertUser,
  listUsers,
  lockUser,
  markUserDeleting,
  openUser,
  openUserForErasure,
  openUserForOperator,
  type Profile,
  readProfile,
  recordScoring,
  recordSync,
  removeUser,
  type ScoreStatus,
  SEXES,
  saveConsolidation,
  toUser,
  USER_COLUMNS,
  USERS_BY_ID,
  type User,
  type UserRow,
  updateUser,
} from './store.ts';
export type { UserHandle } from './user-handle.ts';
