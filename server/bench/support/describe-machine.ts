// Describes the machine of a measurement without host or folder names.
import { arch, availableParallelism, platform, totalmem } from 'node:os';

const GIB = 1024 ** 3;

export function describeMachine(): string {
  return `${availableParallelism()} cores, ${Math.round(totalmem() / GIB)} GiB, ${arch()} ${platform()}, Node ${process.versions.node}`;
}
