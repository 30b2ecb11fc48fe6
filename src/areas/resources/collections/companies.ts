/** Companies, and where people work. */

import { declareCollection } from '../declare-collection.js';

export const companies = declareCollection({
  name: 'companies',
  title: 'Companies',
  noun: 'company',
  demandsCondition: true,
});
