import '../styles/tokens.css';
import '../styles/base.css';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { handleSession } from '../api/client.ts';
import { listenForShortcuts } from '../shared/keyboard/shortcuts.ts';
import { askForConfirmation } from './confirmation.ts';
import { queryClient } from './query-client.ts';
import { router } from './router.tsx';
import { endSession } from './session-end.ts';

handleSession({
  signedOut: () => endSession(router, queryClient),
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
