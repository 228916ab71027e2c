// How the provider is shown to people: its mark, and what an operator has to know.
import type { ProviderAbout } from '../contract.ts';

export const about: ProviderAbout = {
  mark: {
    background: '#0f6f8c', // the seat and the chain of an erg
    drawing:
      '<path d="M10 46h44M14 46l4-6M50 46l-4-6"/><rect x="26" y="32" width="12" height="6" rx="3"/><circle cx="46" cy="24" r="8"/><path d="M16 24h22"/>',
  },
  access:
    'Anyone with a Logbook account can request a key in the developer portal. Develop on `log-dev.concept2.com` first, with a separate account; ask Concept2 for access to the live Logbook when that works. The service calls the live Logbook only; test with the sandbox.',
  webhooks: 'Enter the webhook URL in the developer portal.',
  good: [
    'Concept2 publishes no rate limit and may introduce one. The limit above is the one that the service keeps to.',
    'Webhooks are not signed: keep the webhook URL secret. The service fetches every result that a webhook names.',
    'A webhook about a deleted result does not name its user. A poll finds the deletion within 3 hours if the workout is at most 14 days old.',
    'Concept2 has no request that revokes access. When you delete a device, the service deletes its tokens; users remove the application under Edit Profile, Applications.',
  ],
};
