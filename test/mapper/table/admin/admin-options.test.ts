import { expect, it } from 'vitest'
import {
  createOptions,
  listOptions,
} from '../../../../packages/mapper/src/table/admin/admin-options.ts'

it('creating and listing tables accept the options of every call and their own', () => {
  expect(createOptions.names).toEqual(expect.arrayContaining(['signal', 'waitForDeletion']))
  expect(listOptions.names).toEqual(expect.arrayContaining(['signal', 'prefix']))
})
