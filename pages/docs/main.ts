/** The API reference: Scalar over the description that this service gives of itself, and nothing else. */

import { createApiReference } from '@scalar/api-reference';
// After the parts, which bring some of the same rules along in an order of their own.
import '@scalar/api-reference/style.css';
import { addressOf } from '../shared/address-of.js';
import { storedServiceKey } from '../shared/service-key.js';
import { addThemeSwitch, applyTheme, currentTheme } from '../shared/theme.js';

applyTheme();
// The viewer reads its theme off these classes.
addThemeSwitch((theme) => {
  document.body.classList.toggle('dark-mode', theme === 'dark');
  document.body.classList.toggle('light-mode', theme === 'light');
});

/** What the viewer sends where nobody has filled in anything. */
const standIns = /^(?:Basic username:password|Bearer)$/;

createApiReference('#reference', {
  url: addressOf('/openapi.json'),
  // No fonts, telemetry or assistants from elsewhere: the page talks to this service alone.
  withDefaultFonts: false,
  telemetry: false,
  agent: { disabled: true },
  showDeveloperTools: 'never',
  hideClientButton: true,
  hideDarkModeToggle: true,
  forceDarkModeState: currentTheme(),
  // Its types know of no result, but what comes back is sent.
  onBeforeRequest: prepare as (sending: Sending) => void,
});

interface Sending {
  readonly request: Request;
}

/** The request as it goes: with the visitor's key, and such that no challenge opens the browser's dialog. */
function prepare({ request }: Sending): Sending {
  const { headers, url } = request;
  const key = storedServiceKey();
  if (key !== undefined) headers.set('X-Service-Key', key);
  if (standIns.test(headers.get('Authorization') ?? '')) headers.delete('Authorization');
  // The browser's own credentials are its cookies too; what gives cookies and wants them back challenges nobody.
  if (url.startsWith(addressOf('/api/auth/csrf/'))) return { request };
  return { request: new Request(request, { credentials: 'omit' }) };
}
