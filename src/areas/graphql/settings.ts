/** The settings of the area. */

import { parseSwitch, type Switch } from '#config/parse-settings.js';
import { setting } from '#config/setting.js';

export const graphqlSettings = {
  /** Whether clients may request the schema. Default: `on`. */
  introspection: setting<Switch>({
    group: 'operation',
    flag: 'introspection',
    placeholder: 'on|off',
    meaning: 'whether GraphQL clients may request the schema: on, off',
    default: 'on',
    parse: parseSwitch,
  }),
  /** Whether clients may subscribe. Default: `on`. */
  subscriptions: setting<Switch>({
    group: 'operation',
    flag: 'subscriptions',
    placeholder: 'on|off',
    meaning: 'whether GraphQL clients may subscribe to changes: on, off',
    default: 'on',
    isDescribed: true,
    parse: parseSwitch,
  }),
};
