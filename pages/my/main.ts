import { addThemeSwitch, applyTheme } from '../shared/theme.js';

// The service renders the page, which needs no further script.
applyTheme();
addThemeSwitch();
