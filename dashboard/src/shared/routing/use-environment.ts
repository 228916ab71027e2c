import { useParams } from '@tanstack/react-router';
import type { Environment } from './parents.ts';

/** The environment in the address; `live` outside of an environment. */
export function useEnvironment(): Environment {
  const { environment } = useParams({ strict: false }) as { environment?: Environment };
  return environment ?? 'live';
}
