export { simulatorOperatorRoutes } from './operator-routes.ts';
export { simulatorRoutes } from './routes.ts';
export { startSimulatorClock } from './start-simulator-clock.ts';
