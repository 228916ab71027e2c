// How the provider is shown to people: its mark, and what an operator has to know.
import type { ProviderAbout } from '../contract.ts';

export const about: ProviderAbout = {
  mark: {
    background: '#c2410c', // a chest strap with a heart rate
    drawing:
      '<path d="M8 26h12M44 26h12"/><rect x="20" y="18" width="24" height="16" rx="8"/><path d="M10 46h12l4-6 6 12 5-9 3 3h14"/>',
  },
  access: 'Anyone with a Polar account can create a client in the AccessLink administration.',
  good: ['Polar offers about the last 28 days of most data. Earlier data does not arrive.'],
};
