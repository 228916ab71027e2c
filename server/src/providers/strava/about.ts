// How the provider is shown to people: its mark, and what an operator has to know.
import type { ProviderAbout } from '../contract.ts';

export const about: ProviderAbout = {
  mark: {
    background: '#9a5b00', // a route over hills
    drawing: '<path d="M10 48l14-24 9 14 6-9 15 19z"/><circle cx="46" cy="17" r="5"/>',
  },
  access:
    'Creating an application (strava.com/settings/api) needs a Strava subscription. It starts with one athlete, you. You can raise that to 10 athletes in the API settings; more need a review, for which Strava wants a description and screenshots of every place that shows its data.',
  webhooks:
    'subscribed by the service, nothing to enter. Strava allows one subscription per application: delete a subscription of another program first, or use a separate application.',
  good: [
    'Enter only the host of `TRIBUTARY_PUBLIC_URL` as "Authorization Callback Domain", without scheme and path.',
    'Users can untick scopes. Without `activity:read_all`, activities that only they see do not arrive, and one that they hide later is deleted here.',
    'The limits are those of a new application. The service reads the real ones from the responses: 200 and 2,000 after the step to 10 athletes. Each activity costs two requests, so a history of 500 activities takes one to two days; new activities come first.',
    'Strava requires that you show its logo and a link "View on Strava" where you show its data.',
  ],
};
