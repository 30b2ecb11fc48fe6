/**
 * Adds sending, copying and progress to the guides, which are readable without scripts.
 */

import { addThemeSwitch, applyTheme } from '../shared/theme.js';
import { rememberLanguage } from './choose-language.js';
import { markPlace } from './mark-place.js';
import { offerClients } from './offer-clients.js';
import { keepProgress } from './progress.js';
import { listenToExamples } from './run-examples.js';

applyTheme();
document.documentElement.classList.add('has-script');
addThemeSwitch();
offerClients();
rememberLanguage();
listenToExamples();
keepProgress();
markPlace();
