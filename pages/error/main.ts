/** The page for unknown paths, which needs a script only for the theme. */

import { addThemeSwitch, applyTheme } from '../shared/theme.js';

applyTheme();
addThemeSwitch();
