// How the provider is shown to people: its mark, and what an operator has to know.
import type { ProviderAbout } from '../contract.ts';

export const about: ProviderAbout = {
  mark: {
    background: '#6a3fb5', // a heart with a plus
    drawing:
      '<path d="M32 50S13 39 13 26.5A9.5 9.5 0 0 1 32 22a9.5 9.5 0 0 1 19 4.5C51 39 32 50 32 50z"/><path d="M32 27v12M26 33h12"/>',
  },
  access:
    'Create an OAuth client in a Google Cloud project with the Google Health API enabled. An app that Google has not verified is limited to 100 users; the health scopes need a review with a security assessment.',
  webhooks:
    'Create a subscriber with a service account of the project; the client’s own credentials cannot create it. Its endpoint is the webhook URL.',
  good: [
    'While the consent screen is in the state "Testing", refresh tokens end after 7 days and users have to connect again.',
  ],
};
