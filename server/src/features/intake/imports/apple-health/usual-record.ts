// Almost all records of an export are written alike: the same attributes in the same order, one tag per line. One regular
// expression reads such a record several times faster than tag by tag. All others do not match, and are read by their tags.
const TEXT = '[^"\\n]*';
const ATTRIBUTES = [
  `type="(${TEXT})" sourceName="(${TEXT})"`,
  `(?: sourceVersion="${TEXT}")?`,
  `(?: device="[^",\\n]*(,${TEXT})")?`,
  `(?: unit="(${TEXT})")?`,
  `(?: creationDate="${TEXT}")?`,
  ` startDate="(${TEXT})" endDate="(${TEXT})"`,
  `(?: value="(${TEXT})")?`,
].join('');
const METADATA = `(?:\\n  <MetadataEntry key="(?!HKWasUserEntered")${TEXT}" value="${TEXT}"/>)*`;
const RECORD = new RegExp(`<Record ${ATTRIBUTES}(?:/>|>${METADATA}\\n </Record>)`, 'y');

/** No metadata says that a person entered it. */
export type UsualRecord = {
  readonly type: string;
  readonly sourceName: string;
  /** From its first comma. What precedes is an address that differs between records. */
  readonly device: string | undefined;
  readonly unit: string | undefined;
  readonly startDate: string;
  readonly endDate: string;
  readonly value: string | undefined;
  /** The position after it. */
  readonly end: number;
};

export function findUsualRecord(text: string, at: number): UsualRecord | null {
  RECORD.lastIndex = at;
  const found = RECORD.exec(text);
  if (found === null) return null;
  return {
    type: found[1] as string,
    sourceName: found[2] as string,
    device: found[3],
    unit: found[4],
    startDate: found[5] as string,
    endDate: found[6] as string,
    value: found[7],
    end: RECORD.lastIndex,
  };
}
