/** Minutes in a heart-rate zone: six seconds are told, so that five zones still add up to the workout. */
export const ZONE_DECIMALS = 1;
