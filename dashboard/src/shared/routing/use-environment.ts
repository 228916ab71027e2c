import { useParams } from '@tanstack/react-router';
import type { Environment } from './parents.ts';

type Params = { readonly environment?: Environment };

/** The environment in the address; `live` outside of an environment. Another date or id causes no render. */
export function useEnvironment(): Environment {
  return useParams({ strict: false, select: ({ environment }: Params) => environment ?? 'live' });
}
