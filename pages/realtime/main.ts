/** Connections to try: an event stream, a socket, and a subscription. */

import { attempt } from '../shared/attempt.js';
import { byId } from '../shared/element.js';
import { addThemeSwitch, applyTheme } from '../shared/theme.js';
import { onSandboxChange } from '../shared/visitor/sandbox-name.js';
import './events-panel.js';
import './socket-panel.js';
import './subscription-panel.js';
import './things-to-try.js';
import { placeOfVisitor } from '../shared/visitor/place-of-visitor.js';

applyTheme();
addThemeSwitch();

const where = byId('where', HTMLSpanElement);

onSandboxChange(() => attempt(showPlace));
attempt(showPlace);

async function showPlace(): Promise<void> {
  const { pathname } = new URL(await placeOfVisitor());
  // A path that acts as an account is a secret.
  where.textContent = pathname.includes('/s/~')
    ? 'You are in your account.'
    : `Your sandbox is at ${pathname}.`;
}
