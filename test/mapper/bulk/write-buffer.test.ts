import { afterEach, expect, it, vi } from 'vitest'

const FILE = '../../../packages/mapper/src/bulk/write-buffer.ts'

afterEach(() => {
  vi.doUnmock(FILE)
  vi.resetModules()
})

/** Modules whose code of buffers cannot be loaded at first. */
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

it('an operation that cannot load the code of the buffer is rejected, and not buffered', async () => {
  const { code, row, rows, table, writes, stored } = await freshModules()
  const log = table.buffered()
  const [first, second] = rows('day', 2)
  const early = await Promise.allSettled([log.insert(first!), log.insert(second!)])
  for (const outcome of early) {
    expect(outcome).toMatchObject({ status: 'rejected', reason: { code: 'PartNotLoaded' } })
  }
  expect([log.size, log.bytes]).toEqual([0, 0])
  await log.flush()

  code.isMissing = false
  const again = row('day', 'again', 1)
  const adding = log.insert(again)
  again.set('n', 2)
  await adding
  expect(log.size).toBe(1)
  await log.close()
  expect(await stored()).toEqual({ 'day/again': 1 })
  expect([log.size, log.bytes, writes()]).toEqual([0, 0, [1]])
})

it('operations that wait for the code of the buffer are added in their order, and a close waits for them', async () => {
  const { code, row, rows, table, stored } = await freshModules()
  code.isMissing = false
  const log = table.buffered()
  const twice = row('day', 'twice', 1)
  const adding = [log.insert(twice), ...rows('day', 2).map((each) => log.insert(each))]
  twice.set('n', 2)
  adding.push(log.merge(twice))
  await Promise.all(adding)
  await log.close()
  expect(await stored()).toEqual({ 'day/twice': 2, 'day/00000': 0, 'day/00001': 1 })
})

it('operations that wait for the code of the buffer are written by a close', async () => {
  const { code, rows, table, stored } = await freshModules()
  code.isMissing = false
  const log = table.buffered()
  const adding = rows('day', 3).map((each) => log.insert(each))
  await log.close()
  await Promise.all(adding)
  expect(Object.keys(await stored())).toHaveLength(3)
})
