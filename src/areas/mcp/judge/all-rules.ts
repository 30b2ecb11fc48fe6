/** All rules about clients, in the order of the test plan. */

import { messageRules } from './message-rules.js';
import type { ClientRule } from './rule.js';
import { transportRules } from './transport-rules.js';

export const clientRules: readonly ClientRule[] = [...transportRules, ...messageRules];
