// How the provider is shown to people: its mark, and what an operator has to know.
import type { ProviderAbout } from '../contract.ts';

export const about: ProviderAbout = {
  mark: {
    background: '#8a5a00', // a watch with a crown and a peak
    drawing:
      '<rect x="18" y="16" width="26" height="32" rx="9"/><path d="M44 26h4v8h-4M23 39l6-10 4 5 3-4 4 9M24 16l1-7h12l1 7M24 48l1 7h12l1-7"/>',
  },
  access:
    'For companies, after an application for API access, free of charge. COROS reviews it and issues the client id and secret with its reference.',
  webhooks:
    'Give COROS the webhook URL for workouts, and the same URL as the status URL: it answers a GET with 200. COROS sends your client id and secret in its headers.',
  good: [
    'The reference is not public. The service reads workouts as public clients of version 2.0.6 do; everything that they do not confirm is off until you enable it.',
    'COROS takes the access token in the query string. The service writes no URL of a provider into logs and traces; see that a proxy between both does not either.',
    'COROS returns the last three months, 30 days per request. No rate limit is published.',
    'Daily data is not pushed. With the part `daily` it is polled.',
  ],
};
