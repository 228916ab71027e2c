// People of the sandbox: a week of data from the first moment on, a new day every day, and stories on request.
export { seedSandboxUser } from './seed-user.ts';
export { removePerson } from './store.ts';
