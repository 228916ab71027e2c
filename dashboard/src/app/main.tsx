import '../styles/tokens.css';
import '../styles/base.css';
import { notifyManager, QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { ApiError, handleSession } from '../api/client.ts';
import { listenForShortcuts } from '../shared/keyboard/shortcuts.ts';
import { askForConfirmation } from './confirmation.tsx';
import { router } from './router.tsx';

const FRESH_MS = 30_000;
const RETRIES = 2;

// Answers that arrive within a frame are drawn together. A hidden page has no frames.
notifyManager.setScheduler((flush) => void (document.hidden ? setTimeout(flush) : requestAnimationFrame(flush)));

const queryClient = new QueryClient({
  defaultOptions: {
    // The service may be on this machine, which can be reached without a network.
    queries: { staleTime: FRESH_MS, retry: mayRetry, networkMode: 'always' },
    mutations: { networkMode: 'always' },
  },
});

handleSession({
  signedOut: endSession,
  accountChanged: () => window.location.assign(import.meta.env.BASE_URL),
  confirm: askForConfirmation,
});
listenForShortcuts();
// A new version was deployed: the old file names are gone, and a reload gets the new ones.
window.addEventListener('vite:preloadError', () => window.location.reload());

const root = document.getElementById('root');
if (root)
  createRoot(root).render(
    <StrictMode>
      <QueryClientProvider client={queryClient}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </StrictMode>,
  );

/** Only what may work the second time is retried: no answer, or a fault of the service. */
function mayRetry(failures: number, error: Error): boolean {
  const isTransient = error instanceof ApiError && (error.status === 0 || error.status >= 502);
  return isTransient && failures < RETRIES;
}

/** Leads to sign-in, and back to the former page. Loaded data is removed. */
function endSession(): void {
  const { pathname, href } = router.state.location;
  if (pathname === '/sign-in') return;
  void router.navigate({ to: '/sign-in', search: { next: href }, replace: true }).then(() => queryClient.clear());
}
