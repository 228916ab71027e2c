// The style of the simulator's pages. It must not look like our own pages: the user has left for another site.
export const SIMULATOR_STYLE = `
:root { --ink: #23123d; --muted: #5d4b78; --paper: #fffdf5; --line: #b9a8d6; --band: #4b2a86; --on-band: #fff; --bad: #a4262c; }
@media (prefers-color-scheme: dark) { :root { --ink: #f1e9ff; --muted: #bfb0d8; --paper: #1b1326; --line: #5b4a78; --band: #7d56c4; --on-band: #fff; --bad: #ff9a94; } }
* { box-sizing: border-box; }
body { margin: 0; background: var(--paper); color: var(--ink); font: 1rem/1.5 Georgia, 'Times New Roman', serif; overflow-wrap: anywhere; }
main { max-width: 40rem; margin: 0 auto; padding: 0 1.25rem 2rem; }
.site { margin: 0 -1.25rem 1.25rem; padding: 0.75rem 1.25rem; background: var(--band); color: var(--on-band); font: 600 0.9375rem/1.4 ui-monospace, Menlo, monospace; }
@media (min-width: 44rem) { .site { border-radius: 0 0 0.25rem 0.25rem; } }
h1 { margin: 0 0 0.5rem; font-size: 1.5rem; line-height: 1.25; }
p { margin: 0 0 0.75rem; }
.muted { color: var(--muted); font-size: 0.9375rem; }
.bad { color: var(--bad); }
form { display: grid; gap: 0.625rem; }
fieldset { display: grid; gap: 0.125rem 1.5rem; margin: 0; padding: 0.5rem 0.875rem; border: 1px solid var(--line); border-radius: 0.25rem; }
@media (min-width: 34rem) { fieldset { grid-template-columns: 1fr 1fr; } }
legend { padding: 0 0.375rem; font-weight: 600; }
label { display: flex; align-items: center; gap: 0.625rem; padding: 0.25rem 0; }
input[type="checkbox"] { flex: none; width: 1.25rem; height: 1.25rem; margin: 0; accent-color: var(--band); }
.text { display: grid; gap: 0.25rem; }
input[type="text"] { font: inherit; padding: 0.5rem; border: 1px solid var(--line); border-radius: 0.25rem; background: transparent; color: inherit; }
.actions { display: flex; flex-wrap: wrap; gap: 0.625rem; position: sticky; bottom: 0; padding: 0.75rem 0; background: var(--paper); }
button { min-height: 2.75rem; padding: 0.5rem 1.25rem; border: 2px solid var(--band); border-radius: 0.25rem; background: transparent; color: var(--ink); font: 600 1rem ui-monospace, Menlo, monospace; cursor: pointer; }
button.first { background: var(--band); color: var(--on-band); }
button:focus-visible, input:focus-visible { outline: 3px solid var(--line); outline-offset: 2px; }
@media (max-height: 44rem) { h1 { font-size: 1.25rem; } .site { padding: 0.5rem 1.25rem; margin-bottom: 0.75rem; } label { padding: 0.125rem 0; } }
`;
