/** All rules about clients, in the order of the test plan. */

import { inputRules } from './input-rules.js';
import { loginRules } from './login-rules.js';
import { memoryRules } from './memory-rules.js';
import { messageRules } from './message-rules.js';
import type { ClientRule } from './rule.js';
import { transportRules } from './transport-rules.js';

export const judgeName = 'mcp';

export const clientRules: readonly ClientRule[] = [
  ...transportRules,
  ...messageRules,
  ...inputRules,
  ...memoryRules,
  ...loginRules,
];
