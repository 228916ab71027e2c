export { lastChange, presentChange, readChanges } from './read-changes.ts';
export { consolidationEditorRoutes } from './routes.ts';
