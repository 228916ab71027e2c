// Creates a data folder for one run. Other users may enter it, as with the service's own folder: otherwise, as root, the
// database would move outside the folder and remain when the folder is removed.
import { chmod, mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export async function makeDataFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'tributary-bench-'));
  await chmod(folder, process.getuid?.() === 0 ? 0o711 : 0o700);
  return folder;
}
