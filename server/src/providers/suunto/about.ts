// How the provider is shown to people: its mark, and what an operator has to know.
import type { ProviderAbout } from '../contract.ts';

export const about: ProviderAbout = {
  mark: {
    background: '#2f5d3a', // a compass
    drawing:
      '<circle cx="32" cy="32" r="19"/><path d="M39 25l-4 10-10 4 4-10z"/><path d="M32 9v5M32 50v5M9 32h5M50 32h5"/>',
  },
  access:
    'For companies and developers who sign up at the API Zone and accept its terms; Suunto reviews each application, which takes some weeks. Subscribe to the products for workouts and 24/7 data there: each key belongs to a subscription.',
  webhooks:
    'Enter the webhook URL for workouts and for 24/7 sleep and activity in the settings of your partner profile, with a notification secret of your choice.',
  good: [
    'The subscription key is the primary or secondary key of your profile. Suunto rejects every request without it, so set it when you rotate the keys there.',
    'The notification secret signs webhooks. Enter the same text at Suunto and here; a webhook with another signature is rejected and counted.',
    'The limit depends on the subscription and is not published. After a 429 the service waits as long as Suunto asks for.',
    'Suunto does not report a workout that the user changed or deleted. The service fetches changed ones with every poll, and deletes those of the last 14 days that Suunto no longer lists; an older one stays until you delete it.',
  ],
};
