// The checksum of a FIT file: CRC-16 with the reversed polynomial 0xA001, over header and messages.
const POLYNOMIAL = 0xa001;
const TABLE = Uint16Array.from({ length: 256 }, (_, byte) => {
  let crc = byte;
  for (let bit = 0; bit < 8; bit += 1) crc = (crc >> 1) ^ ((crc & 1) === 0 ? 0 : POLYNOMIAL);
  return crc;
});
const HEADER_WITH_CHECKSUM = 14;
const CHECKSUM_BYTES = 2;

/** Only for bytes that `parseFit` accepts. A checksum of 0 is one that the writer did not compute. */
export function hasValidFitChecksum(bytes: Uint8Array): boolean {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const headerSize = view.getUint8(0);
  const end = headerSize + view.getUint32(4, true);
  if (end + CHECKSUM_BYTES > bytes.length) return false;
  const isHeaderValid =
    headerSize < HEADER_WITH_CHECKSUM || isValid(bytes, headerSize - CHECKSUM_BYTES, view.getUint16(12, true));
  return isHeaderValid && isValid(bytes, end, view.getUint16(end, true));
}

function isValid(bytes: Uint8Array, end: number, stated: number): boolean {
  if (stated === 0) return true;
  let crc = 0;
  for (let at = 0; at < end; at += 1) crc = (crc >> 8) ^ (TABLE[(crc ^ (bytes[at] as number)) & 0xff] as number);
  return crc === stated;
}
