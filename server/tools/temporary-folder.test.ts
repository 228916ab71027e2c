import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { canExecute } from './temporary-folder.ts';

describe('the folder in memory', () => {
  it('is used if programs may run in it', () => {
    assert.equal(canExecute('proc /proc proc rw 0 0\ntmpfs /dev/shm tmpfs rw,nosuid,nodev 0 0\n'), true);
  });

  it('is not used with noexec, as in a container', () => {
    assert.equal(canExecute('shm /dev/shm tmpfs rw,nosuid,nodev,noexec,relatime,size=65536k 0 0\n'), false);
  });

  it('is not used if nothing is mounted there; the last mount applies', () => {
    assert.equal(canExecute('proc /proc proc rw 0 0\n'), false);
    assert.equal(canExecute('a /dev/shm tmpfs rw,noexec 0 0\nb /dev/shm tmpfs rw 0 0\n'), true);
  });
});
