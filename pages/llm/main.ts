/** The page of the lab for clients of language models, which reads its state every two seconds. */

import { attempt } from '../shared/attempt.js';
import { byId } from '../shared/element.js';
import { placeOfVisitor } from '../shared/place-of-visitor.js';
import { needSandbox, onSandboxChange } from '../shared/sandbox-name.js';
import { addThemeSwitch, applyTheme } from '../shared/theme.js';
import { endScript, forgetFindings } from './api.js';
import { showBaseUrls } from './connect.js';
import { refresh } from './live.js';
import { offerPrompts } from './prompt-form.js';
import { beginRun } from './run.js';

applyTheme();
addThemeSwitch();

const refreshMs = 2000;

onClick('forget', forgetFindings);
onClick('end-script', endScript);
onClick('start-run', beginRun);
offerPrompts(() => void attempt(refresh));
onSandboxChange(() => void attempt(show));
setInterval(() => {
  // The next turn tries again.
  if (document.visibilityState === 'visible') refresh().catch(() => undefined);
}, refreshMs);
void attempt(show);

async function show(): Promise<void> {
  needSandbox();
  showBaseUrls(await placeOfVisitor());
  await refresh();
}

function onClick(id: string, act: () => Promise<unknown>): void {
  byId(id, HTMLButtonElement).addEventListener('click', () =>
    attempt(async () => {
      await act();
      await refresh();
    }),
  );
}
