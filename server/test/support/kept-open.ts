/** For servers of tests: after 5 s, the default, a server closes a connection that a client on a loaded machine is about to use again. */
export const KEPT_OPEN = { keepAliveTimeout: 72_000 };
