// A list of rows in the server's order: a table, and rows of two lines on a phone. j, k and Enter move and open.
import { Fragment, type ReactNode, useState } from 'react';
import { useShortcut } from '../keyboard/shortcuts.ts';
import { Button } from './button.tsx';
import { CsvButton, type CsvColumn } from './csv-button.tsx';
import { joinClasses } from './join-classes.ts';
import styles from './list.module.css';

export type Column<Row> = CsvColumn<Row> & {
  readonly cell: (row: Row) => ReactNode;
  readonly isNumber?: boolean;
  /** `first` and `second`: its line in a narrow window; `none`: not shown there. */
  readonly narrow?: 'first' | 'second' | 'none';
  readonly isNameHidden?: boolean;
};

type Props<Row> = {
  /** Read aloud as the name of the table. */
  readonly label: string;
  readonly rows: readonly Row[];
  readonly columns: readonly Column<Row>[];
  readonly keyOf: (row: Row) => string;
  /** Click on a row, or Enter on the marked one. */
  readonly onOpen?: (row: Row) => void;
  /** The key of the row that is open beside or below the list. */
  readonly openKey?: string | null;
  /** Shown below the open row, in the list. */
  readonly detail?: (row: Row) => ReactNode;
  /** Shown in place of rows. */
  readonly empty?: ReactNode;
  /** The next page, if there is one. */
  readonly more?: { readonly load: () => void; readonly isLoading: boolean } | null;
  /** The CSV file: by `load`, such as `api.csv(path)`, or of the rows that are shown. */
  readonly csv?: { readonly name: string; readonly load?: () => Promise<string> };
};

export function List<Row>(props: Props<Row>) {
  const { label, rows, columns, keyOf, onOpen, openKey, detail, empty, more, csv } = props;
  const marked = useMarkedRow(rows, keyOf, onOpen);
  if (rows.length === 0 && empty) return <>{empty}</>;
  return (
    <>
      <table className={styles.table} aria-label={label}>
        <thead>
          <tr>
            {columns.map(({ name, isNumber, isNameHidden }) => (
              <th key={name} scope="col" className={isNumber ? styles.number : undefined}>
                {isNameHidden ? <span className={styles.hidden}>{name}</span> : name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => {
            const key = keyOf(row);
            return (
              <Fragment key={key}>
                <tr
                  data-row={key}
                  className={joinClasses(onOpen && styles.opens)}
                  data-marked={marked === key || undefined}
                  data-open={openKey === key || undefined}
                  onClick={onOpen && ((event) => isPlainClick(event) && onOpen(row))}
                >
                  {columns.map((column) => (
                    <td
                      key={column.name}
                      className={column.isNumber ? styles.number : undefined}
                      data-narrow={column.narrow ?? 'second'}
                    >
                      {column.cell(row)}
                    </td>
                  ))}
                </tr>
                {detail && openKey === key && (
                  <tr className={styles.detail}>
                    <td colSpan={columns.length}>{detail(row)}</td>
                  </tr>
                )}
              </Fragment>
            );
          })}
        </tbody>
      </table>
      {(more || csv) && (
        <div className={styles.foot}>
          {more && (
            <Button onClick={more.load} isBusy={more.isLoading}>
              Show more
            </Button>
          )}
          {csv && <CsvButton rows={rows} columns={columns} {...csv} />}
        </div>
      )}
    </>
  );
}

/** A click on a link or a button inside the row, or while text is selected, is not a click on the row. */
function isPlainClick(event: React.MouseEvent): boolean {
  const isControl =
    event.target instanceof Element && event.target.closest('a, button, input, label, summary') !== null;
  return !isControl && !event.metaKey && !event.ctrlKey && window.getSelection()?.isCollapsed !== false;
}

function useMarkedRow<Row>(
  rows: readonly Row[],
  keyOf: (row: Row) => string,
  onOpen: ((row: Row) => void) | undefined,
): string | null {
  const [marked, setMarked] = useState<string | null>(null);
  const move = (step: 1 | -1) => {
    const at = rows.findIndex((row) => keyOf(row) === marked);
    const next = rows[Math.min(rows.length - 1, Math.max(0, at + step))];
    if (next === undefined) return;
    setMarked(keyOf(next));
    document.querySelector(`[data-row="${CSS.escape(keyOf(next))}"]`)?.scrollIntoView({ block: 'nearest' });
  };
  const found = rows.find((row) => keyOf(row) === marked);
  const canMove = onOpen !== undefined && rows.length > 0;
  useShortcut('j', 'Next row', () => move(1), canMove);
  useShortcut('k', 'Previous row', () => move(-1), canMove);
  useShortcut('Enter', 'Open the marked row', () => found !== undefined && onOpen?.(found), found !== undefined);
  return marked;
}
