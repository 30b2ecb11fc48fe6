/** Cases of all bugs, by id. */

import type { BugCase } from './bug-case.js';
import { conditionCases } from './conditions.js';
import { httpCases } from './http.js';
import { listCases } from './lists.js';
import { loginCases } from './logins.js';
import { ownerCases } from './owners.js';
import { paginationCases } from './pagination.js';
import { protocolCases } from './protocols.js';
import { recordCases } from './records.js';
import { sessionCases } from './sessions.js';

export const allCases: Readonly<Record<string, BugCase>> = {
  ...conditionCases,
  ...httpCases,
  ...listCases,
  ...loginCases,
  ...ownerCases,
  ...paginationCases,
  ...protocolCases,
  ...recordCases,
  ...sessionCases,
};
