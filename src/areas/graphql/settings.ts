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
};
