// The headers of requests: form, credential and what a call adds.
import type { Form } from './form.ts';

export type Token = string | (() => string | Promise<string>) | null;
export type Added = Readonly<Record<string, string>>;
export type RequestHeaders = Headers | Record<string, string>;
export type HeaderSource = {
  /** True: `read` returns another token once one has expired. */
  readonly canRenew: boolean;
  /** A promise only if the token comes from a function. */
  read(added: Added | undefined): RequestHeaders | Promise<RequestHeaders>;
};

/** `isGlobalFetch`: it copies headers, so all calls can pass the same prepared object. Another fetch gets an object of its own. */
export function createHeaders(form: Form, token: Token, isGlobalFetch: boolean): HeaderSource {
  if (typeof token === 'function') {
    return { canRenew: true, read: async (added) => ({ ...present(form, await token()), ...added }) };
  }
  const fixed = present(form, token);
  const prepared = isGlobalFetch ? new Headers(fixed) : null;
  return {
    canRenew: false,
    read: (added) => (added === undefined && prepared !== null ? prepared : { ...fixed, ...added }),
  };
}

function present(form: Form, credential: string | null): Added {
  const headers = { 'api-form': String(form) };
  if (credential === null) return headers;
  // The error of fetch would contain the credential.
  if (!/^[\x21-\x7e]*$/.test(credential))
    throw new TypeError('the credential has a space, a line break or another character that no credential has');
  return { ...headers, authorization: `Bearer ${credential}` };
}
