// Reads the metrics and labels that PromQL expressions name, enough for those in deploy/.

type Named = { readonly metric: string; readonly labels: readonly string[] };

const METRIC = /\b(up|(?:tributary|process|nodejs)_\w+)\b(?:\{([^}]*)\})?/g;
const SELECTED = /(\w+)\s*(?:=~|!~|!=|=)/g;
const GROUPED = /\b(?:by|without|on|ignoring)\s*\(([^)]*)\)/g;

/** The metrics of an expression with the labels of their selectors. */
export function listNamed(expression: string): Named[] {
  return [...expression.matchAll(METRIC)].map(([, metric = '', selector = '']) => ({
    metric,
    labels: [...selector.matchAll(SELECTED)].map(([, label = '']) => label),
  }));
}

/** The labels by which an expression groups. */
export function listGroupings(expression: string): string[] {
  const lists = [...expression.matchAll(GROUPED)].map(([, list = '']) => list);
  return lists.flatMap((list) => list.split(',').map((label) => label.trim()));
}

type Alert = {
  readonly name: string;
  readonly expression: string;
  readonly runbook: string;
  readonly severity: string;
  /** How long the condition must hold; null: it fires at once. */
  readonly lasts: string | null;
};

/** Alerts of a rule file, whose expressions are on one line or folded with `>-`. */
export function listAlerts(text: string): Alert[] {
  return text.split(/^ {6}- alert: /m).flatMap((rule, index) => {
    if (index === 0) return [];
    const [, folded, plain] = /^ {8}expr: (?:>-\n((?: {10}.*\n)+)|(.*)\n)/m.exec(rule) ?? [];
    const [, runbook = ''] = /^ {10}runbook: '(.*)'$/m.exec(rule) ?? [];
    const [, severity = ''] = /^ {8}labels: \{ severity: (\w+) \}$/m.exec(rule) ?? [];
    const [, lasts = null] = /^ {8}for: (\w+)$/m.exec(rule) ?? [];
    const name = rule.split('\n', 1)[0] ?? '';
    return [{ name, expression: (folded ?? plain ?? '').trim(), runbook, severity, lasts }];
  });
}

type PanelQuery = { readonly panel: string; readonly expression: string; readonly legendLabels: string[] };

/** The queries of a Grafana dashboard, with its variables replaced as Grafana does. */
export function listQueries(dashboard: string): PanelQuery[] {
  const { panels } = JSON.parse(dashboard) as {
    panels: { title: string; targets?: { expr: string; legendFormat: string }[] }[];
  };
  return panels.flatMap(({ title, targets = [] }) =>
    targets.map(({ expr, legendFormat }) => ({
      panel: title,
      expression: expr.replaceAll('$__rate_interval', '5m').replaceAll('$instance', '.*'),
      legendLabels: [...legendFormat.matchAll(/\{\{(\w+)\}\}/g)].map(([, label = '']) => label),
    })),
  );
}
