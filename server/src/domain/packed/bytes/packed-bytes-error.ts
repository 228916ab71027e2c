// What reading damaged bytes ends in, and writing what the format cannot hold.

export class PackedBytesError extends Error {
  override readonly name = 'PackedBytesError';
}
