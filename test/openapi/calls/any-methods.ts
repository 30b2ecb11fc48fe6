/** The methods that OpenAPI knows, for operations that take any. */

export const anyMethods = [
  'get',
  'put',
  'post',
  'delete',
  'options',
  'head',
  'patch',
  'trace',
] as const;
