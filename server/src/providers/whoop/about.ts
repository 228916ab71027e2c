// How the provider is shown to people: its mark, and what an operator has to know.
import type { ProviderAbout } from '../contract.ts';

export const about: ProviderAbout = {
  mark: {
    background: '#a3123a', // a strap without a display
    drawing:
      '<path d="M22 10v44M42 10v44"/><rect x="19" y="24" width="26" height="16" rx="4"/><path d="M25 32h3l3-4 3 8 2-4h3"/>',
  },
  access:
    'You need a WHOOP account to create an application. It is limited to about 10 members until WHOOP has approved it.',
  webhooks: 'Enter the webhook URL in the developer dashboard, model version 2.',
  good: ['Tokens can be refreshed only with the scope `offline`; keep it ticked in the dashboard.'],
};
