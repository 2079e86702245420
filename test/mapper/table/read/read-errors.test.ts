import { afterEach, expect, it, vi } from 'vitest'

const FILE = '../../../../packages/mapper/src/table/read/read-errors.ts'

afterEach(() => {
  vi.doUnmock(FILE)
  vi.resetModules()
})

it('a mistake whose explanation cannot be loaded rejects with what is missing, and sends nothing', async () => {
  vi.resetModules()
  vi.doMock(FILE, () => {
    throw new Error('The code was not loaded.')
  })
  const { freshTable } = await import('../../fresh-account.ts')
  const { Customer } = await import('../../customer.ts')
  const { table, sent } = await freshTable(Customer)
  const notLoaded = { name: 'InputError', code: 'PartNotLoaded', cause: expect.any(Error) }
  await expect(table.getMany(7 as never)).rejects.toMatchObject(notLoaded)
  await expect(table.exists({ sginal: 1 } as never)).rejects.toMatchObject(notLoaded)
  expect(sent).toEqual([])
})
