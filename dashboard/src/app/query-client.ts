import { notifyManager, QueryClient } from '@tanstack/react-query';
import { ApiError } from '../api/client.ts';

const FRESH_MS = 30_000;
const RETRIES = 2;

/** Only what may work the second time is retried: no answer, or a fault of the service. */
function mayRetry(failures: number, error: Error): boolean {
  const isTransient = error instanceof ApiError && (error.status === 0 || error.status >= 502);
  return isTransient && failures < RETRIES;
}

// Answers that arrive within a frame are drawn together. A hidden page has no frames.
notifyManager.setScheduler((flush) => void (document.hidden ? setTimeout(flush) : requestAnimationFrame(flush)));

export const queryClient = new QueryClient({
  defaultOptions: {
    // The service may be on this machine, which can be reached without a network.
    queries: { staleTime: FRESH_MS, retry: mayRetry, networkMode: 'always' },
    mutations: { networkMode: 'always' },
  },
});
