import { expect, it } from 'vitest'
import {
  CREATE_OPTION_NAMES,
  LIST_OPTION_NAMES,
} from '../../../../packages/mapper/src/table/admin/admin-options.ts'

it('creating and listing tables accept the options of every call and their own', () => {
  expect(CREATE_OPTION_NAMES).toEqual(expect.arrayContaining(['signal', 'waitForDeletion']))
  expect(LIST_OPTION_NAMES).toEqual(expect.arrayContaining(['signal', 'prefix']))
})
