// The checks of other-blocks.ts by name. Each gets one block and throws if it is wrong.
import { API_CHECKS } from './checks-api.ts';
import { CODE_CHECKS } from './checks-code.ts';
import { FILE_CHECKS } from './checks-files.ts';

export const CHECKS = { ...API_CHECKS, ...CODE_CHECKS, ...FILE_CHECKS };
export type CheckName = keyof typeof CHECKS;
