/** The page of the MCP server, which reads the state of the sandbox every two seconds. */

import { attempt } from '../shared/attempt.js';
import { byId } from '../shared/element.js';
import { placeOfVisitor } from '../shared/place-of-visitor.js';
import { needSandbox, onSandboxChange } from '../shared/sandbox-name.js';
import { addThemeSwitch, applyTheme } from '../shared/theme.js';
import { callGreet, forgetFindings, misbehaveNoMore } from './api.js';
import { refresh } from './live.js';
import { offerSetups, showUrl } from './server-url.js';

applyTheme();
addThemeSwitch();

const refreshMs = 2000;

onClick('try', async () => {
  const said = await callGreet('Ada');
  byId('tried', HTMLParagraphElement).textContent =
    `The tool greet returned “${said}”. Its messages are in the list.`;
  await refresh();
});
onClick('forget', async () => {
  await forgetFindings();
  await refresh();
});
onClick('behave', async () => {
  await misbehaveNoMore();
  await refresh();
});
offerSetups();
onSandboxChange(() => void attempt(show));
setInterval(() => {
  // The next turn tries again.
  if (document.visibilityState === 'visible') refresh().catch(() => undefined);
}, refreshMs);
void attempt(show);

async function show(): Promise<void> {
  needSandbox();
  showUrl(await placeOfVisitor());
  await refresh();
}

function onClick(id: string, act: () => Promise<void>): void {
  byId(id, HTMLButtonElement).addEventListener('click', () => void attempt(act));
}
