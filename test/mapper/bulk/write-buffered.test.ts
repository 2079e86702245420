import { afterEach, expect, it, vi } from 'vitest'

const FILE = '../../../packages/mapper/src/bulk/write-buffered.ts'

afterEach(() => {
  vi.doUnmock(FILE)
  vi.resetModules()
})

/** Modules whose code of flushes cannot be loaded at first. */
async function freshModules() {
  vi.resetModules()
  const code = { isMissing: true }
  vi.doMock(FILE, async (original) => {
    if (code.isMissing) throw new Error('The code was not loaded.')
    return original()
  })
  const { bulkTable, row, rows } = await import('./bulk-account.ts')
  return { code, row, rows, ...(await bulkTable()) }
}

it('a flush that cannot load its code rejects, and leaves its operations for the next one', async () => {
  const { code, rows, table, writes, stored } = await freshModules()
  const log = table.buffered()
  const [first, second, third] = rows('day', 3)
  await log.insert(first!)
  await log.insert(second!)
  const { bytes } = log
  await expect(log.flush()).rejects.toMatchObject({ code: 'PartNotLoaded' })
  expect([log.size, log.bytes, writes()]).toEqual([2, bytes, []])

  code.isMissing = false
  await log.insert(third!)
  await log.close()
  expect(Object.keys(await stored())).toHaveLength(3)
  expect([log.size, log.bytes, writes()]).toEqual([0, 0, [3]])
})

it('an operation that waits for a flush that cannot load its code is rejected, and not buffered', async () => {
  const { code, row, rows, table, stored } = await freshModules()
  const log = table.buffered({ maxOperations: 2 })
  for (const entity of rows('day', 3)) await log.insert(entity)
  await expect(log.flush()).rejects.toMatchObject({ code: 'PartNotLoaded' })
  const { bytes } = log
  const late = row('day', 'late', 1)
  const rejected = [log.insert(late), log.insert(row('day', 'later', 1)), log.insert(late)]
  expect((await Promise.allSettled(rejected)).map(({ status }) => status)).toEqual([
    'rejected',
    'rejected',
    'rejected',
  ])
  expect([log.size, log.bytes]).toEqual([3, bytes])

  code.isMissing = false
  late.set('n', 2)
  await log.insert(late)
  await log.close()
  const kept = { 'day/00000': 0, 'day/00001': 1, 'day/00002': 2, 'day/late': 2 }
  expect(await stored()).toEqual(kept)
})
