import { createTable, type TableService, tableService } from '@rowkey/rest'
import { describe, expect, it } from 'vitest'
import { createOptions } from '../../../../packages/mapper/src/table/admin/admin-options.ts'
import { createWaiting } from '../../../../packages/mapper/src/table/admin/create-waiting.ts'

const beingDeleted = {
  status: 409,
  headers: {},
  body: '{"odata.error":{"code":"TableBeingDeleted","message":{"value":"Try operation later."}}}',
}
const created = { status: 204, headers: {}, body: '' }

/** A service that is done with the deletion after some tries, and what was waited for it. */
function deleting(tries: number): { service: TableService; waits: number[]; sent: () => number } {
  let sent = 0
  const waits: number[] = []
  const service = tableService({
    connectionString: 'UseDevelopmentStorage=true',
    transport: async () => (++sent > tries ? created : beingDeleted),
    sleep: async (delay) => void waits.push(delay),
  })
  return { service, waits, sent: () => sent }
}

describe('createWaiting', () => {
  it('R-25: waits until the name is free', async () => {
    const { service, waits, sent } = deleting(5)
    await createWaiting(service, createTable, 'people', 'create', { waitForDeletion: true })
    expect(waits).toEqual([1000, 2000, 4000, 5000, 5000])
    expect(sent()).toBe(6)
  })

  it('R-25: gives up after two minutes', async () => {
    const { service, waits } = deleting(1000)
    const work = createWaiting(service, createTable, 'people', 'create', { waitForDeletion: true })
    await expect(work).rejects.toMatchObject({ code: 'TableBeingDeleted' })
    expect(waits.reduce((sum, wait) => sum + wait)).toBe(120_000)
  })

  it('waits no longer than asked', async () => {
    const { service, waits } = deleting(1000)
    const work = createWaiting(service, createTable, 'people', 'create', { waitForDeletion: 2500 })
    await expect(work).rejects.toMatchObject({ code: 'TableBeingDeleted' })
    expect(waits).toEqual([1000, 1500])
  })

  it('begins no wait that would go past the deadline', async () => {
    const waits: number[] = []
    const service = tableService({
      connectionString: 'UseDevelopmentStorage=true',
      transport: async () => beingDeleted,
      now: () => waits.reduce((sum, wait) => sum + wait, 0),
      sleep: async (delay) => void waits.push(delay),
    })
    const options = { waitForDeletion: true, deadline: 5000 }
    await expect(
      createWaiting(service, createTable, 'people', 'create', options),
    ).rejects.toMatchObject({
      code: 'DeadlineExceeded',
      attempts: 3,
      mayHaveApplied: false,
      cause: { code: 'TableBeingDeleted' },
    })
    expect(waits).toEqual([1000, 2000])
  })

  it.each([undefined, false, 0])('R-25: says so at once when asked for %s', async (given) => {
    const { service, waits } = deleting(1)
    const work = createWaiting(service, createTable, 'people', 'create', { waitForDeletion: given })
    await expect(work).rejects.toMatchObject({ code: 'TableBeingDeleted' })
    expect(waits).toEqual([])
  })

  it('ends at once when it is aborted', async () => {
    const { service, sent } = deleting(1000)
    const controller = new AbortController()
    const aborting = { ...service, sleep: async () => controller.abort() }
    const work = createWaiting(aborting, createTable, 'people', 'create', {
      waitForDeletion: true,
      signal: controller.signal,
    })
    await expect(work).rejects.toMatchObject({ name: 'AbortError', mayHaveApplied: false })
    expect(sent()).toBe(1)
  })

  it.each(['yes', -1, 1.5, Number.NaN])('rejects an attempt to wait for %o', (given) => {
    const options = { waitForDeletion: given as number }
    expect(() => createOptions.check(options, 'create of table people')).toThrow(
      expect.objectContaining({ code: 'InvalidOptionValue' }),
    )
  })
})
