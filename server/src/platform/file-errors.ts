// What an operator can do about an error of the file system.

const ADVICE: Readonly<Record<string, string>> = {
  EACCES: 'Allow this user to write there',
  EDQUOT: 'Free space, raise the disk quota of this user',
  EEXIST: 'Correct the path',
  EFBIG: 'Raise the size limit of files (ulimit -f)',
  EIO: 'Check the disk',
  EISDIR: 'Correct the path',
  ELOOP: 'Correct the symbolic link',
  EMFILE: 'Raise the limit of open files (ulimit -n)',
  ENAMETOOLONG: 'Shorten the path',
  ENFILE: 'Raise the limit of open files of the machine',
  ENOENT: 'Check that the folder and the targets of its symbolic links exist',
  ENOSPC: 'Free space',
  ENOTDIR: 'Correct the path',
  EPERM: 'Allow this user to write there',
  EROFS: 'Make the file system writable',
};

/** Without a period, so that the caller can add an alternative. Null: not an error of the file system. */
export function adviseOnFileError(error: unknown): string | null {
  const { code = '', syscall = '' } = error as NodeJS.ErrnoException;
  return NETWORK_CALLS.has(syscall) ? null : (ADVICE[code] ?? null);
}

/** Their errors have the same codes. */
const NETWORK_CALLS = new Set(['connect', 'listen', 'bind', 'getaddrinfo']);
