import { expect, it } from 'vitest'
import { manyOptions, readOptions } from '../../../packages/mapper/src/rows/read-options.ts'
import { invalidKey } from '../../support/rejections.ts'
import { Customer } from '../customer.ts'
import { freshTable } from '../fresh-account.ts'

it('reads accept the options of every call and their own', () => {
  expect(readOptions.names).toEqual(expect.arrayContaining(['signal', 'select', 'resolve']))
  expect(manyOptions.names).toEqual(expect.arrayContaining(['signal', 'deadline', 'concurrency']))
})

it('rejects a resolver that is not a function', () => {
  const check = (resolve: unknown) => readOptions.check({ resolve: resolve as never }, 'get')
  expect(() => check(undefined)).not.toThrow()
  expect(() => check(() => 1)).not.toThrow()
  for (const wrong of [null, 'x', {}])
    expect(() => check(wrong)).toThrow(expect.objectContaining({ code: 'InvalidOptionValue' }))
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
