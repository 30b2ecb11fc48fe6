import { parsePort } from '#config/parse-settings.js';
import { setting } from '#config/setting.js';

export const paymentsSettings = {
  paymentsPort: setting<number | undefined>({
    group: 'listen',
    flag: 'payments-port',
    placeholder: 'number',
    meaning: 'short for --serve payments=number (default: off)',
    default: undefined,
    parse: parsePort,
  }),
};
