/** The practice APIs. A new one is added to this list. */

import type { Dialect } from './dialect.js';
import { dummyjson } from './dummyjson/dialect.js';
import { fakestore } from './fakestore/dialect.js';
import { jsonplaceholder } from './jsonplaceholder/dialect.js';
import { petstore } from './petstore/dialect.js';
import { postmanEcho } from './postman-echo/dialect.js';
import { reqres } from './reqres/dialect.js';
import { restfulBooker } from './restful-booker/dialect.js';

export const dialects: readonly Dialect[] = [
  jsonplaceholder,
  dummyjson,
  fakestore,
  reqres,
  restfulBooker,
  petstore,
  postmanEcho,
];
