export { explainRoutes } from './explain-routes.ts';
export { explanation, explanationCandidate } from './explain-schemas.ts';
export { parseExplainable } from './parse-metrics.ts';
export { presentExplanation } from './present-explanation.ts';
export { dailyRoutes } from './routes.ts';
