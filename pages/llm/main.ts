/** The page of the lab for clients of language models. */

import { attempt } from '../shared/attempt.js';
import { onClick, showLive } from '../shared/live-page.js';
import { placeOfVisitor } from '../shared/visitor/place-of-visitor.js';
import { needSandbox } from '../shared/visitor/sandbox-name.js';
import { endScript } from './api.js';
import { showBaseUrls } from './connect.js';
import { refresh } from './live.js';
import { offerPrompts } from './prompt-form.js';

onClick('end-script', async () => {
  await endScript();
  await refresh();
});
offerPrompts(() => void attempt(refresh));
showLive(show, refresh);

async function show(): Promise<void> {
  needSandbox();
  showBaseUrls(await placeOfVisitor());
  await refresh();
}
