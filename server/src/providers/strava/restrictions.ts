// What Strava's terms forbid: the API Agreement and the API Policy of June 2026 (https://www.strava.com/legal/api).
import type { UseRestriction } from '../contract.ts';

export const STRAVA_RESTRICTIONS: readonly UseRestriction[] = [
  {
    kind: 'owner_only',
    description:
      'Show data of an athlete only to that athlete: not to coaches, teams or other users, even if the athlete agrees or the activity is public.',
  },
  {
    kind: 'no_ai',
    description:
      'Do not use the data with AI models: neither for training nor in prompts, which the API Policy (5.3) names as context window.',
  },
  {
    kind: 'no_resale',
    description:
      'Do not sell the data or pass it on, and do not use it for analytics across athletes or together with data of other sources (5.4).',
  },
  {
    kind: 'retention',
    days: 7,
    description:
      'Keep data for seven days at most, as a cache (5.5), and delete it within 48 hours after the athlete deletes it or revokes access.',
  },
];
