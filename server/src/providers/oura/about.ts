// How the provider is shown to people: its mark, and what an operator has to know.
import type { ProviderAbout } from '../contract.ts';

export const about: ProviderAbout = {
  mark: {
    background: '#3d4450', // a ring, seen from the side
    drawing:
      '<ellipse cx="32" cy="34" rx="15" ry="16"/><ellipse cx="32" cy="34" rx="9.5" ry="10.5"/><path d="M25 14h14"/>',
  },
  access:
    'Anyone with an Oura account can create an application. A new application is limited to 10 users until Oura has approved it.',
  good: [
    'A user without an active Oura membership gets 403 for most data. The device stays connected.',
    'Users can untick scopes. What they did not share is in `missing` of the device.',
  ],
};
