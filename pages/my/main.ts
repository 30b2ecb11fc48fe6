import { addThemeSwitch, applyTheme } from '../shared/theme.js';

// The page itself is made by the service, and needs no script.
applyTheme();
addThemeSwitch();
