/** The front page, which reads well without this: it adds sending, copying, filtering and memory. */

import { addThemeSwitch, applyTheme } from '../shared/theme.js';
import { rememberClient } from './choose-client.js';
import { startConsole } from './console.js';
import { filterAsTyped } from './filter-areas.js';
import { markPlace } from './mark-place.js';
import { listenToButtons } from './try-examples.js';

applyTheme();
document.documentElement.classList.add('has-script');
addThemeSwitch();
rememberClient();
startConsole();
listenToButtons();
filterAsTyped();
markPlace();
