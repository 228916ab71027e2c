// A data folder for one run. Passable, as the service makes its own: otherwise root's database would move to a place
// outside of it, where it would stay when the folder is removed.
import { chmod, mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export async function makeDataFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'tributary-bench-'));
  await chmod(folder, process.getuid?.() === 0 ? 0o711 : 0o700);
  return folder;
}
