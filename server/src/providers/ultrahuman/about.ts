// How the provider is shown to people: its mark, and what an operator has to know.
import type { ProviderAbout } from '../contract.ts';

export const about: ProviderAbout = {
  mark: {
    background: '#5b5f17', // a ring on a finger, and a drop
    drawing:
      '<path d="M24 52V18a8 8 0 0 1 16 0v34"/><path d="M19 36h26v8H19z"/><path d="M50 14c4 5 5 7 5 9a5 5 0 0 1-10 0c0-2 1-4 5-9z"/>',
  },
  access:
    'For partners: create an application in the developer dashboard at vision.ultrahuman.com; Ultrahuman reviews it before users other than yours can connect.',
  good: [
    'Ultrahuman sends no webhooks and publishes no rate limit. The service polls every hour, reads the last 3 days again, and keeps to one request per second.',
    'Each day is one request, so the history of one user takes about six minutes. Users who connect at the same time share that limit.',
    'Heart-rate variability is off: Ultrahuman does not say whether it is RMSSD or SDNN. If you know, enable the part `hrv_rmssd` or `hrv_sdnn`, never both.',
    'Glucose arrives for users who wear a sensor and share `cgm_data`. It belongs to the same device as the ring, so a device that is a glucose sensor ranks before it.',
  ],
};
