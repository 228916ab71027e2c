/** How to call this program: in a clone through npm; the package installs a command. */
export const COMMAND = import.meta.filename.endsWith('.ts') ? 'npm run -s tributary --' : 'tributary';
