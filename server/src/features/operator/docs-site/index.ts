export { listGuides } from './guides.ts';
export { DOCS_HEADERS } from './layout.ts';
export { docsSiteRoutes, renderDocsHome } from './routes.ts';
