/** The page of what is not there: plain, but for the theme. */

import { addThemeSwitch, applyTheme } from '../shared/theme.js';

applyTheme();
addThemeSwitch();
