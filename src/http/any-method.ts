/** Every method that Node can parse, for routes that take them all. */

import { METHODS } from 'node:http';
import type { HTTPMethods } from 'fastify';

export const anyMethod = METHODS as HTTPMethods[];
