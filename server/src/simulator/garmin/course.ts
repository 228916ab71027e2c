// The route of outdoor activities: laps through a park.

export const START = { latitude: 52.5145, longitude: 13.3501 };
const ROUND_METRES = 2_500;
const METRES_PER_DEGREE = 111_320;
const GROUND_METRES = 34;
const HILL_METRES = 12;

export function placeAfter(metres: number): { latitude: number; longitude: number; elevationMetres: number } {
  const angle = (2 * Math.PI * metres) / ROUND_METRES;
  const radius = ROUND_METRES / (2 * Math.PI) / METRES_PER_DEGREE;
  const squeeze = Math.cos((START.latitude * Math.PI) / 180);
  return {
    latitude: START.latitude + radius * (Math.cos(angle) - 1),
    longitude: START.longitude + (radius * Math.sin(angle)) / squeeze,
    elevationMetres: GROUND_METRES + (HILL_METRES / 2) * (1 - Math.cos(angle)),
  };
}
