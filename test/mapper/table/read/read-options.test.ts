import { expect, it } from 'vitest'
import {
  checkResolve,
  MANY_OPTION_NAMES,
  READ_OPTION_NAMES,
} from '../../../../packages/mapper/src/table/read/table-reader.ts'
import { invalidKey } from '../../../support/rejections.ts'
import { Customer } from '../../customer.ts'
import { freshTable } from '../../fresh-account.ts'

it('reads accept the options of every call and their own', () => {
  expect(READ_OPTION_NAMES).toEqual(expect.arrayContaining(['signal', 'select', 'resolve']))
  expect(MANY_OPTION_NAMES).toEqual(expect.arrayContaining(['signal', 'deadline', 'concurrency']))
})

it('rejects a resolver that is not a function', () => {
  expect(() => checkResolve(undefined, 'get')).not.toThrow()
  expect(() => checkResolve(() => 1, 'get')).not.toThrow()
  for (const wrong of [null, 'x', {}])
    expect(() => checkResolve(wrong, 'get')).toThrow(
      expect.objectContaining({ code: 'InvalidOptionValue' }),
    )
})

it('getMany accepts any iterable of keys, and rejects other values', async () => {
  const { table, sent } = await freshTable(Customer)
  for (const list of [[], new Set<[string, string]>(), new Map<[string, string], 1>().keys()]) {
    expect(await table.getMany(list)).toEqual([])
  }
  for (const wrong of [undefined, null, 7, {}]) {
    await expect(table.getMany(wrong as never)).rejects.toThrow(invalidKey)
  }
  expect(sent).toEqual([])
})
