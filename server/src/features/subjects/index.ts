export { getUserHandleOrThrow, parseUserIdOrThrow, userNotFound } from './get-user-handle.ts';
export {
  ACTIVE_USER,
  findUserByReference,
  insertUser,
  listUsers,
  lockUser,
  markUserDeleting,
  openUser,
  openUserForErasure,
  type Profile,
  removeUser,
  type ScoreStatus,
  SEXES,
  toUser,
  USER_COLUMNS,
  USERS_BY_ID,
  type User,
  type UserRow,
  updateUser,
} from './store.ts';
export type { UserHandle } from './user-handle.ts';
