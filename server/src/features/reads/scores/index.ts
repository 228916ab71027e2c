export { scoreMatrixRoutes } from './matrix-routes.ts';
export { presentExplanation as presentScoreExplanation } from './present-explanation.ts';
export { scoreRoutes } from './routes.ts';
