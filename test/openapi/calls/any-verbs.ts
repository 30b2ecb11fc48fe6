/** The methods that OpenAPI knows, for operations that take any. */

export const anyVerbs = [
  'get',
  'put',
  'post',
  'delete',
  'options',
  'head',
  'patch',
  'trace',
] as const;
