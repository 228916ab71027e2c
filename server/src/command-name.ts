// How people call this program, for commands that they are shown.

export const COMMAND = nameCommand(import.meta.filename);

/** In a clone through npm; where npm installed the package for one folder, through npx; elsewhere the name is on the PATH. */
export function nameCommand(file: string): string {
  if (file.endsWith('.ts')) return 'npm run -s tributary --';
  const parent = /[\\/]([^\\/]+)[\\/]node_modules[\\/]/.exec(file)?.[1];
  const isGlobal = parent === 'lib' || parent === 'npm'; // <prefix>/lib/node_modules, and AppData\Roaming\npm\node_modules
  return parent === undefined || isGlobal ? 'tributary' : 'npx tributary';
}
