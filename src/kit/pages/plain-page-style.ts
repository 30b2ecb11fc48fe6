/** Inline style of pages without scripts, similar to the other pages. */

export const style = `
:root { color-scheme: light dark; --paper: light-dark(#fbfaf7, #0f1216); --panel: light-dark(#fff, #161a20);
  --line: light-dark(#dedbd2, #2a3039); --field: light-dark(#8b8a82, #6d7683); --ink: light-dark(#15171a, #e9ebee);
  --quiet: light-dark(#5b5d60, #a2abb7); --accent: light-dark(#0b57c9, #85b7ff); --on-accent: light-dark(#fff, #0c1a2e); }
body { margin: 0; background: var(--paper); color: var(--ink); font: 1rem/1.5 system-ui, sans-serif; }
main { box-sizing: border-box; width: calc(100% - 2rem); max-width: 30rem; margin: 8vh auto; padding: 1.5rem; border: 1px solid var(--line);
  border-radius: 0.75rem; background: var(--panel); overflow-wrap: anywhere; }
h1 { margin: 0 0 0.75rem; font-size: 1.375rem; }
label { display: block; margin-block: 0.75rem; }
input:not([type=hidden], [type=checkbox]) { display: block; box-sizing: border-box; width: 100%; padding: 0.5rem; border: 1px solid var(--field);
  border-radius: 0.375rem; background: var(--paper); color: inherit; font: inherit; }
button { margin: 0.75rem 0.5rem 0 0; padding: 0.5rem 1.25rem; border: 1px solid var(--accent); border-radius: 0.375rem;
  background: var(--accent); color: var(--on-accent); font: inherit; cursor: pointer; }
button.quiet { background: none; color: var(--accent); }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
.users { margin: 1.5rem 0 0; padding: 0; border: 0; } .users legend { padding: 0; color: var(--quiet); }
.user { display: flex; flex-wrap: wrap; gap: 0 1rem; justify-content: space-between; width: 100%; margin: 0.5rem 0 0; padding: 0.5rem 0.75rem;
  border-color: var(--line); background: var(--paper); color: inherit; text-align: start; } .user:hover { border-color: var(--accent); }
h2 { margin: 1.25rem 0 0.25rem; font-size: 1.0625rem; } ul { padding-inline-start: 1.25rem; } a { color: var(--accent); }
pre { margin: 0.5rem 0; padding: 0.625rem 0.75rem; border: 1px solid var(--line); border-radius: 0.375rem; background: var(--paper);
  white-space: pre-wrap; } .links { display: flex; flex-wrap: wrap; gap: 0.25rem 1.25rem; margin: 1.25rem 0 0; }
.fault { padding: 0.5rem 0.75rem; border-inline-start: 4px solid light-dark(#b3261e, #ff8a80); }
.quiet, small { color: var(--quiet); }
table { width: 100%; margin-block-start: 1.5rem; border-collapse: collapse; } caption { padding-block-end: 0.25rem; text-align: start; }
th, td { padding: 0.375rem 1rem 0.375rem 0; border-block-end: 1px solid var(--line); text-align: start; font-weight: 400; }
th { color: var(--quiet); font-size: 0.875rem; overflow-wrap: normal; }
code { font-family: ui-monospace, "Cascadia Mono", Menlo, monospace; font-size: 0.9375em; }
`;
