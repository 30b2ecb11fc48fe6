/** The methods that OpenAPI supports, for operations of any method. */

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
