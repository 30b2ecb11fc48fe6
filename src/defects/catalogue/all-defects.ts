/** All defects that can be switched on in a sandbox. */

import type { Defect } from '../defect.js';
import { conditionDefects } from './conditions.js';
import { httpDefects } from './http.js';
import { listDefects } from './lists.js';
import { loginDefects } from './logins.js';
import { ownerDefects } from './owners.js';
import { paginationDefects } from './pagination.js';
import { protocolDefects } from './protocols.js';
import { recordDefects } from './records.js';
import { sessionDefects } from './sessions.js';

export const allDefects: readonly Defect[] = [
  ...listDefects,
  ...recordDefects,
  ...conditionDefects,
  ...paginationDefects,
  ...loginDefects,
  ...sessionDefects,
  ...ownerDefects,
  ...httpDefects,
  ...protocolDefects,
];
