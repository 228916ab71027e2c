import { useState } from 'react';
import { Button } from './button.tsx';
import { formatCsv } from './format-csv.ts';
import type { Column } from './list.tsx';
import { saveFile } from './save-file.ts';

type Props<Row> = {
  readonly rows: readonly Row[];
  readonly columns: readonly Column<Row>[];
  readonly name: string;
  readonly all?: () => Promise<readonly Row[]>;
};

/** Saves what is listed, with the filters of the screen. */
export function CsvButton<Row>({ rows, columns, name, all }: Props<Row>) {
  const [isBusy, setBusy] = useState(false);
  const save = async () => {
    setBusy(true);
    try {
      const listed = all ? await all() : rows;
      const kept = columns.flatMap(({ name: title, csv }) => (csv ? [{ title, csv }] : []));
      const lines = listed.map((row) => kept.map(({ csv }) => csv(row)));
      saveFile(name, 'text/csv', formatCsv([kept.map(({ title }) => title), ...lines]));
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
