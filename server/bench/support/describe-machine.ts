// What the numbers were measured on, without the names of hosts or folders.
import { arch, availableParallelism, platform, totalmem } from 'node:os';

const GIB = 1024 ** 3;

export function describeMachine(): string {
  return `${availableParallelism()} cores, ${Math.round(totalmem() / GIB)} GiB, ${arch()} ${platform()}, Node ${process.versions.node}`;
}
