import { useState } from 'react';

/** The secret after the # of a link. It leaves the address bar, so that it is not in the history. */
export function useLinkToken(): string {
  const [token] = useState(() => window.location.hash.slice(1));
  if (window.location.hash !== '') window.history.replaceState(window.history.state, '', window.location.pathname);
  return token;
}
