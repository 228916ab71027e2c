import { words } from './words.ts';

/** "api_key.created" becomes "API key created". */
export function describeAction(action: string): string {
  const [noun = '', verb = ''] = action.split('.');
  const subject = words.nouns[noun] ?? noun.replaceAll('_', ' ');
  const text = `${subject} ${verb.replaceAll('_', ' ').replace('totp', 'TOTP')}`.trim();
  return `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`;
}
