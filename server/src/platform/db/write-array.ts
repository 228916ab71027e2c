// Writes arrays of ids and numbers as PostgreSQL reads them. The driver writes any array, but escapes each element.

const UUID_LENGTH = 36;
const UUID_CHARACTERS = /^[0-9a-f-]+$/;

/** Any other value is returned as it is, for the driver. */
export function writeArray(value: unknown): unknown {
  if (!Array.isArray(value)) return value;
  return value.every(Number.isFinite) || areUuids(value) ? `{${value.join()}}` : value;
}

function areUuids(values: readonly unknown[]): boolean {
  return (
    values.every((value) => typeof value === 'string' && value.length === UUID_LENGTH) &&
    UUID_CHARACTERS.test(values.join(''))
  );
}
