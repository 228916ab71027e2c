// Runs before the first paint, so that a chosen theme does not flash in the other one. src/app/theme.ts writes the choice.
try {
  const chosen = localStorage.getItem('theme');
  if (chosen === 'light' || chosen === 'dark') document.documentElement.dataset.theme = chosen;
} catch {
  // Storage is blocked: the theme follows the system.
}
