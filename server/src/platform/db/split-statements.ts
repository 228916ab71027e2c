// Splits a migration into statements. Citus accepts changes of a distributed table only one statement at a time.

/** A quoted text or name, a body between dollar signs, a comment, the end of a statement, or any other character. */
const PARTS =
  /'(?:[^']|'')*'|"(?:[^"]|"")*"|(\$[a-z_]*\$)[\s\S]*?\1|(--[^\n]*|\/\*[\s\S]*?\*\/)|(;)|[^'"$;\-/]+|[\s\S]/gi;

export function splitStatements(sql: string): string[] {
  const statements: string[] = [];
  let current = '';
  for (const [part, , comment, end] of sql.matchAll(PARTS)) {
    if (end !== undefined) {
      statements.push(current.trim());
      current = '';
    } else current += comment === undefined ? part : ' ';
  }
  statements.push(current.trim());
  return statements.filter((statement) => statement !== '');
}
