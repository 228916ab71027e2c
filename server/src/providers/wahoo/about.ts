// How the provider is shown to people: its mark, and what an operator has to know.
import type { ProviderAbout } from '../contract.ts';

export const about: ProviderAbout = {
  mark: {
    background: '#0b6fae', // a bike computer
    drawing: '<rect x="20" y="10" width="24" height="38" rx="5"/><path d="M25 18h14M25 26h14M25 34h8M28 54h8"/>',
  },
  access:
    'Request access on the developer portal of Wahoo and create an app there, with its redirect URI and the scopes below. A new app has small limits and may be used by a few people; Wahoo reviews it before it gets production limits.',
  webhooks:
    'Enter the webhook URL in the app on the portal. Wahoo calls it only for users with the scope `offline_data`, and repeats a failed call after 30 minutes, 4, 24 and 72 hours.',
  good: [
    'The token that the portal shows for webhooks is not needed: the webhook URL contains a secret, and the workout is fetched from Wahoo.',
    'Heart rates, route and laps of a workout are in its recording. Route and laps are kept only for accounts that keep [routes](routes.md).',
    'Wahoo reports no deletions. Every poll deletes workouts of the last 14 days that Wahoo no longer lists; an older one stays until you delete it.',
  ],
};
