/** The page to explore the service, and to report bugs. */

import { attempt } from '../shared/attempt.js';
import { byId } from '../shared/element.js';
import { addThemeSwitch, applyTheme } from '../shared/theme.js';
import { onSandboxChange } from '../shared/visitor/sandbox-name.js';
import { giveUp, showHunt, switchOn } from './hunt.js';
import { report, send } from './report.js';

applyTheme();
addThemeSwitch();

onSubmit('bugs', switchOn);
onSubmit('request', send);
onSubmit('report', async () => {
  await report();
  await showHunt();
});
byId('give-up', HTMLButtonElement).addEventListener('click', () => void attempt(giveUp));
onSandboxChange(() => void attempt(showHunt));
void attempt(showHunt);

function onSubmit(id: string, act: () => Promise<void>): void {
  byId(id, HTMLFormElement).addEventListener('submit', (event) => {
    event.preventDefault();
    void attempt(act);
  });
}
