// How the provider is shown to people: its mark, and what an operator has to know.
import type { ProviderAbout } from '../contract.ts';

export const about: ProviderAbout = {
  mark: {
    background: '#0a7c66', // a scale
    drawing:
      '<rect x="13" y="14" width="38" height="37" rx="8"/><path d="M24 27a9 9 0 0 1 16 0z"/><path d="M32 27l3-5"/>',
  },
  access: 'Anyone can create an application in the partner hub (public API).',
  good: [
    'Withings calls the redirect URI and the webhook URL when you register them: the service must be reachable on https and port 443, with a name and not an IP address.',
    'Withings removes subscriptions of a receiver that fails repeatedly. The service looks daily and creates them again.',
  ],
};
