/** The guides, which read well without this: it adds sending, copying, searching and memory. */

import { addThemeSwitch, applyTheme } from '../shared/theme.js';
import { rememberLanguage } from './choose-language.js';
import { markPlace } from './mark-place.js';
import { offerClients } from './offer-clients.js';
import { keepProgress } from './progress.js';
import { listenToExamples } from './run-examples.js';
import { openSearch } from './search-dialog.js';

applyTheme();
document.documentElement.classList.add('has-script');
addThemeSwitch();
offerClients();
rememberLanguage();
listenToExamples();
keepProgress();
openSearch();
markPlace();
