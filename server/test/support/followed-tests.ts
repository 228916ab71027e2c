// Loaded before `node:test`, which has to know the test that code runs for: whose `after` it registers, and which test an unhandled
// error belongs to. By itself it follows every promise with a hook, which takes a third of the time of a test: the hook runs whenever
// a promise is created and again when it is freed. Node passes the store of an AsyncLocalStorage on to promises at no cost, so the
// running test is kept in one, and the hook follows everything except promises.
import asyncHooks, { AsyncLocalStorage, AsyncResource } from 'node:async_hooks';

const { createHook, executionAsyncId } = asyncHooks;
const { runInAsyncScope } = AsyncResource.prototype;
/** The id of the running test, suite or hook. */
const running = new AsyncLocalStorage<number>();
const FOLLOWED = new Set(['Test', 'Suite', 'TestHook']); // the test runner's own classes, which it does not export

asyncHooks.createHook = (options) => createHook({ ...options, trackPromises: false });
asyncHooks.executionAsyncId = () => running.getStore() ?? executionAsyncId();
AsyncResource.prototype.runInAsyncScope = function follow<Self, Result>(
  this: AsyncResource,
  work: (this: Self, ...given: unknown[]) => Result,
  self?: Self,
  ...given: unknown[]
): Result {
  const call = () => work.apply(self as Self, given);
  const id = this.asyncId();
  return runInAsyncScope.call(this, FOLLOWED.has(this.constructor.name) ? () => running.run(id, call) : call) as Result;
};
