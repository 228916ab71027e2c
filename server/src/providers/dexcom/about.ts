// How the provider is shown to people: its mark, and what an operator has to know.
import type { ProviderAbout } from '../contract.ts';

export const about: ProviderAbout = {
  mark: {
    background: '#3f6212', // a drop with a curve
    drawing: '<path d="M32 10S15 29 15 39a17 17 0 0 0 34 0C49 29 32 10 32 10z"/><path d="M21 41h5l4-7 5 11 3-4h5"/>',
  },
  access:
    'Register at developer.dexcom.com and create an app: name, description, redirect URI and the address of your published privacy policy. It has limited access, 5 users, until Dexcom has accepted you as a partner and reviewed the app.',
  good: [
    'Accounts exist only on the servers of their region. Set `TRIBUTARY_DEXCOM_REGION` to `us`, `eu` (all other countries) or `jp`; it applies to every application of the service. Users of two regions need two installations.',
    'Readings are one hour late in the United States and three hours elsewhere. Those of a receiver arrive when the user uploads it; readings older than 3 days arrive only with a new connection.',
    'Dexcom has no request that revokes access. When you delete a device, the service deletes its tokens; the user can remove the app in the Dexcom account.',
    'Do not use the data for alarms or treatment decisions. The developer agreement restricts what you may store, show and pass on; see `restrictions` in `GET /v1/providers`.',
    'Carbohydrates and insulin that users enter are the unconfirmed part `dexcom_events`, which is off until you enable it.',
  ],
};
