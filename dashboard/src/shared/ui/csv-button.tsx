import { useState } from 'react';
import { Button } from './button.tsx';
import { formatCsv } from './format-csv.ts';
import { saveFile } from './save-file.ts';

export type CsvColumn<Row> = {
  readonly name: string;
  /** The value in the CSV file; without it the column is not in the file. */
  readonly csv?: (row: Row) => string | number | null;
};

type Props<Row> = {
  readonly rows: readonly Row[];
  readonly columns: readonly CsvColumn<Row>[];
  readonly name: string;
  readonly load?: () => Promise<string>;
};

/** Saves the listed rows, with the filters of the screen. */
export function CsvButton<Row>({ rows, columns, name, load }: Props<Row>) {
  const [isBusy, setBusy] = useState(false);
  const save = async () => {
    setBusy(true);
    try {
      saveFile(name, 'text/csv', load ? await load() : formatRows(rows, columns));
    } finally {
      setBusy(false);
    }
  };
  return (
    <Button icon="download" kind="ghost" isBusy={isBusy} onClick={() => void save()}>
      CSV
    </Button>
  );
}

function formatRows<Row>(rows: readonly Row[], columns: readonly CsvColumn<Row>[]): string {
  const kept = columns.flatMap(({ name, csv }) => (csv ? [{ name, csv }] : []));
  return formatCsv([kept.map(({ name }) => name), ...rows.map((row) => kept.map(({ csv }) => csv(row)))]);
}
