// How many days before its own a score or a derived metric reads, and so how many later days a change reaches. Every
// number follows from the rule that needs the days.
import { REGULARITY_DAYS } from '../sleep/sleep-regularity.ts';
import { LONGEST_WINDOW_DAYS, STRAIN_RULE } from './baseline.ts';
import { REGULARITY_NIGHTS, WEEK_NIGHTS } from './recent-nights.ts';

/** How long a weight stays the latest one. */
export const WEIGHT_DAYS = 90;
/** Their own night is one of the nights. */
export const DEBT_DAYS = WEEK_NIGHTS - 1;
export const MIDPOINT_DAYS = REGULARITY_NIGHTS - 1;
/** The strain of the day before is compared with the days before that one. */
export const STRAIN_DAYS = STRAIN_RULE.windowDays + 1;

/** The longest look-back at inputs. */
export const LOOK_BACK_DAYS = Math.max(WEIGHT_DAYS, LONGEST_WINDOW_DAYS, DEBT_DAYS, MIDPOINT_DAYS, REGULARITY_DAYS);
/** The longest look-back at scores: energy reserve reads only the day before. */
export const SCORE_LOOK_BACK_DAYS = STRAIN_DAYS;
