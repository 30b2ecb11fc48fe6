/** Collections that are what Events, Books and Posts are, by the same code over another declaration. */

const titles = [
  'Users',
  'Products',
  'Todos',
  'Employees',
  'Companies',
  'Movies',
  'Countries',
  'People',
  'Albums',
  'Photos',
];

const ofThem = new RegExp(`^(?:get|post|put|patch|delete)(?:${titles.join('|')})(?!ByIdPosts)`);

/** Whether an operation is alike another whose examples and faults stand for its own. */
export function isAlikeAnother(operationId: string): boolean {
  return ofThem.test(operationId);
}
