// The style of hosted pages: one card, for phones, in light and dark mode.
export const PAGE_STYLE = `
:root { --ink: #14222e; --muted: #51626f; --paper: #fff; --ground: #eef3f6; --line: #d5dfe6; --accent: #0b6a8f; --on-accent: #fff; --bad: #a4262c; }
@media (prefers-color-scheme: dark) {
  :root { --ink: #e8eff4; --muted: #a3b4c0; --paper: #18242d; --ground: #0e171e; --line: #2c3c48; --accent: #5cc0e4; --on-accent: #06202c; --bad: #ff9a94; }
}
* { box-sizing: border-box; }
body { margin: 0; background: var(--ground); color: var(--ink); font: 1rem/1.5 system-ui, sans-serif; overflow-wrap: anywhere; }
main { max-width: 30rem; margin: 0 auto; padding: 1.5rem 1.25rem; min-height: 100vh; background: var(--paper); }
@media (min-width: 34rem) { main { min-height: 0; margin: 3rem auto; padding: 2.25rem; border: 1px solid var(--line); border-radius: 1rem; } }
h1 { margin: 0 0 0.75rem; font-size: 1.5rem; line-height: 1.25; }
h2 { margin: 1.25rem 0 0.125rem; font-size: 1rem; }
p, ul, dl { margin: 0 0 0.75rem; }
ul { padding-left: 1.25rem; }
small, .muted { color: var(--muted); }
.quoted { margin: 0 0 0.75rem; padding-left: 0.75rem; border-left: 3px solid var(--line); white-space: pre-line; }
.bad { color: var(--bad); }
.pair { display: flex; align-items: center; gap: 0; margin: 0 0 1.5rem; }
.pair img, .mark { width: 3.5rem; height: 3.5rem; border-radius: 50%; object-fit: contain; background: var(--ground); }
.pair img + .link + img { border-radius: 0.875rem; padding: 0.25rem; border: 1px solid var(--line); background: #fff; }
.mark { display: grid; place-items: center; border-radius: 0.875rem; background: var(--accent); color: var(--on-accent); font-size: 1.5rem; font-weight: 600; }
.link { flex: 0 0 2rem; border-top: 2px dashed var(--line); }
.names { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
.shared { list-style: none; margin: 0.5rem 0; padding: 0; border: 1px solid var(--line); border-radius: 0.75rem; }
.shared li { padding: 0.5rem 0.875rem; border-top: 1px solid var(--line); }
.shared li:first-child { border-top: 0; }
details { color: var(--muted); font-size: 0.9375rem; }
summary { cursor: pointer; padding: 0.125rem 0; }
.note { margin: 1.5rem 0 0; padding: 0.625rem 0.875rem; border-radius: 0.75rem; background: var(--ground); color: var(--muted); font-size: 0.875rem; }
.brand { display: flex; align-items: center; gap: 0.75rem; margin: 0 0 1.25rem; color: var(--muted); }
.brand img { width: 2.5rem; height: 2.5rem; object-fit: contain; border-radius: 0.5rem; }
form { display: grid; gap: 0.75rem; margin: 1.5rem 0 0.75rem; }
fieldset { min-width: 0; }
label { display: grid; gap: 0.25rem; overflow-wrap: anywhere; }
input, select { font: inherit; color: inherit; padding: 0.75rem; border: 1px solid var(--line); border-radius: 0.5rem; background: var(--ground); }
button, .button { display: block; width: 100%; min-height: 3rem; padding: 0.75rem 1rem; border: 1px solid var(--accent); border-radius: 0.75rem; background: transparent;
  color: var(--accent); font: inherit; font-weight: 600; text-align: center; text-decoration: none; cursor: pointer; }
button.first, .button.first { background: var(--accent); color: var(--on-accent); }
button.danger { border-color: var(--bad); color: var(--bad); }
button:focus-visible, a:focus-visible, input:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
a { color: var(--accent); }
`;
