export { createDashboardFiles, type DashboardFiles } from './dashboard-files.ts';
export { dashboardFileRoutes } from './routes.ts';
