export { joinPieces, type Pieces } from './join-pieces.ts';
export { exportRoutes } from './routes.ts';
