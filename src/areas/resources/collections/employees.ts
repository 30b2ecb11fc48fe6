/** People who work at companies, each below a manager. */

import { declareCollection } from '../declare-collection.js';

export const employees = declareCollection({
  name: 'employees',
  title: 'Employees',
  noun: 'employee',
  parents: [
    { field: 'companyId', of: 'companies', parentAs: 'company', childrenAs: 'employees' },
    { field: 'managerId', of: 'employees', parentAs: 'manager', childrenAs: 'reports' },
  ],
});
