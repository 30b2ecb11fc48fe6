/** Every method that Node can parse, for routes that take them all. */

import { METHODS } from 'node:http';

export const anyMethod: readonly string[] = METHODS;
