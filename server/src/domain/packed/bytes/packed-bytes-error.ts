// Thrown on reading damaged bytes, and on writing content that the format cannot hold.

export class PackedBytesError extends Error {
  override readonly name = 'PackedBytesError';
}
