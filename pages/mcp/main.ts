/** The page of the MCP server. */

import { byId } from '../shared/element.js';
import { onClick, showLive } from '../shared/live-page.js';
import { placeOfVisitor } from '../shared/visitor/place-of-visitor.js';
import { needSandbox } from '../shared/visitor/sandbox-name.js';
import { callGreet, misbehaveNoMore } from './api.js';
import { refresh } from './live.js';
import { offerSetups, showUrl } from './server-url.js';

onClick('try', async () => {
  const said = await callGreet('Ada');
  byId('tried', HTMLParagraphElement).textContent =
    `The tool greet returned “${said}”. Its messages are in the list.`;
  await refresh();
});
onClick('behave', async () => {
  await misbehaveNoMore();
  await refresh();
});
offerSetups();
showLive(show, refresh);

async function show(): Promise<void> {
  needSandbox();
  showUrl(await placeOfVisitor());
  await refresh();
}
