// How the provider is shown to people: its mark, and what an operator has to know.
import type { ProviderAbout } from '../contract.ts';

export const about: ProviderAbout = {
  mark: {
    background: '#1256a8', // a watch with a route
    drawing: '<circle cx="32" cy="32" r="14"/><path d="M26 19l1-8h10l1 8M26 45l1 8h10l1-8M25 36l5-7 4 4 5-6"/>',
  },
  access:
    'For companies, after an application to the developer program. An evaluation key with low limits comes first, a production key after a review of your product.',
  webhooks:
    'Enter the webhook URL for every summary type in the endpoint configuration, as push or ping. Also enter it for deregistrations and permission changes.',
  good: [
    'Garmin cannot be polled: without webhooks nothing arrives.',
    'Garmin requires that a user who disconnects is deregistered. The service does that when you delete the device.',
  ],
};
