import { expect, test } from 'vitest';
import type { Setting } from './setting.js';
import { variantOf } from './variant.js';

function settingOf(value: unknown, isDescribed?: true): Setting<unknown> {
  return {
    group: 'limits',
    flag: 'flag',
    placeholder: 'text',
    meaning: 'a meaning',
    default: value,
    parse: (text) => text,
    ...(isDescribed && { isDescribed }),
  };
}

const settings = {
  accounts: settingOf('open', true),
  limit: settingOf(10, true),
  port: settingOf(3000),
};
const defaults = { accounts: 'open', limit: 10, port: 3000 };

test.each([
  ['the defaults', defaults, 'default'],
  ['a setting that is not described', { ...defaults, port: 4000 }, 'default'],
  ['a described setting', { ...defaults, accounts: 'required' }, 'accounts-required'],
  ['two of them', { ...defaults, accounts: 'required', limit: 3 }, 'accounts-required_limit-3'],
])('names the variant of %s', (_name, config, expected) => {
  expect(variantOf(settings, config)).toBe(expected);
});
