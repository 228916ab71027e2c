// Wording shared by mails and hosted pages. Pure.
import type { TextKey, Translate } from '../../../domain/texts/index.ts';

const SHARED_DATA: readonly TextKey[] = [
  'shared.activity',
  'shared.sleep',
  'shared.vitals',
  'shared.nutrition',
  'shared.scores',
];

/** The data of a member that an organization can see. */
export function listSharedData(t: Translate): string[] {
  return SHARED_DATA.map((key) => t(key));
}
