import { afterEach, expect, it, vi } from 'vitest'

const FILE = '../../../packages/mapper/src/bulk/write-buffered.ts'

afterEach(() => {
  vi.doUnmock(FILE)
  vi.resetModules()
})

it('a flush that cannot load its code rejects, and leaves its operations for the next one', async () => {
  vi.resetModules()
  let isMissing = true
  vi.doMock(FILE, async (original) => {
    if (isMissing) throw new Error('The code was not loaded.')
    return original()
  })
  const { bulkTable, rows } = await import('./bulk-account.ts')
  const { table, writes, stored } = await bulkTable()
  const log = table.buffered()
  const [first, second, third] = rows('day', 3)
  await log.insert(first!)
  await log.insert(second!)
  const { bytes } = log
  await expect(log.flush()).rejects.toThrow()
  expect([log.size, log.bytes, writes()]).toEqual([2, bytes, []])

  isMissing = false
  await log.insert(third!)
  await log.close()
  expect(Object.keys(await stored())).toHaveLength(3)
  expect([log.size, log.bytes, writes()]).toEqual([0, 0, [3]])
})
