/** Solutions of every challenge. */

import { httpSolutions } from './http.js';
import { restSolutions } from './rest.js';
import type { Solutions } from './solution.js';

export const solutions: Solutions = { ...httpSolutions, ...restSolutions };
