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
  onBeforeRequest({ request }) {
    const key = storedServiceKey();
    if (key !== undefined) request.headers.set('X-Service-Key', key);
  },
});
