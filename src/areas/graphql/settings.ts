import { parseSwitch, type Switch } from '../../config/parse-settings.js';
import { setting } from '../../config/setting.js';

export const graphqlSettings = {
  /** Whether clients may ask for the schema; `on` by default. */
  introspection: setting<Switch>({
    flag: 'introspection',
    placeholder: 'on|off',
    meaning: 'whether GraphQL clients may ask for the schema: on, off',
    default: 'on',
    parse: parseSwitch,
  }),
  /** Whether clients may subscribe; `on` by default. */
  subscriptions: setting<Switch>({
    flag: 'subscriptions',
    placeholder: 'on|off',
    meaning: 'whether GraphQL clients may subscribe to changes: on, off',
    default: 'on',
    isDescribed: true,
    parse: parseSwitch,
  }),
};
