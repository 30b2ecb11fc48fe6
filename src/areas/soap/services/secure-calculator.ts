import { paths } from '../paths.js';
import type { Service } from '../service.js';
import { calculator } from './calculator.js';

/** The calculator for messages with WS-Security. */
export const secureCalculator: Service = {
  ...calculator,
  name: 'SecureCalculator',
  summary:
    'The calculator for messages with WS-Security: a Timestamp and a UsernameToken, whose password is text or a digest.',
  path: paths.secure,
  isSecured: true,
};
