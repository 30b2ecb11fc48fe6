import { METHODS } from 'node:http';

export const anyMethod: readonly string[] = METHODS;
