import Entity from '@rowkey/azure-entities'
import { ETagMismatchError } from '@rowkey/rest'
import { describe, expect, it } from 'vitest'
import { withoutSystem } from '../tables.ts'
import { freshItems, one } from './fresh-items.ts'

describe('modify', () => {
  it('rejects a modifier that is not a function', async () => {
    const { Items } = await freshItems()
    const item = await Items.create(one)
    await expect(item.modify({ count: 2 } as never)).rejects.toMatchObject({
      code: 'InvalidValue',
      message: expect.stringContaining('must be a function'),
    })
  })

  it('R-136: sends nothing without a change', async () => {
    const { Items, tables } = await freshItems()
    const item = await Items.create(one)
    const before = tables.local.requests.count
    await item.modify((draft) => {
      draft.count = 1
    })
    expect(tables.local.requests.count).toBe(before)
  })

  it('R-136: merges what changed and keeps properties that the class does not declare', async () => {
    const { Items, tables } = await freshItems()
    const item = await Items.create(one)
    await tables.change('items', { PartitionKey: 'a', RowKey: 'x', other: 'kept' })
    await item.modify((draft) => {
      draft.text = 'short'
    })
    const [row] = (await tables.rows('items')).map(withoutSystem)
    expect(row).toMatchObject({ other: 'kept', count: 1, __bufchunks_text: 1, Version: 1 })
    expect((await Items.load(one)).text).toBe('short')
  })

  it('R-136: gives up after ten attempts and shows each of them', async () => {
    const { Items, tables } = await freshItems()
    const item = await Items.create(one)
    let attempts = 0
    const failure = item.modify(async (draft) => {
      attempts += 1
      draft.count = 100 + attempts
      await tables.change('items', { PartitionKey: 'a', RowKey: 'x', count: attempts })
    })
    await expect(failure).rejects.toBeInstanceOf(Entity.EntityWriteCongestionError)
    await expect(failure).rejects.toMatchObject({
      code: 'EntityWriteCongestionError',
      table: 'items',
      modifiedEntity: { count: 110 },
      originalEntity: { count: 9 },
      modifiedEntityAttempts: expect.objectContaining({ length: 9 }),
      cause: expect.any(ETagMismatchError),
    })
    expect(attempts).toBe(10)
  })

  it('R-136: rejects a change of the key', async () => {
    const { Items } = await freshItems()
    const item = await Items.create(one)
    const failure = item.modify((draft) => {
      draft.id = 'b'
    })
    await expect(failure).rejects.toMatchObject({ code: 'KeyChanged' })
    expect(item.id).toBe('a')
  })

  it('R-136: rejects a row that was removed', async () => {
    const { Items } = await freshItems()
    const item = await Items.create(one)
    await Items.remove(one)
    const failure = item.modify((draft) => {
      draft.count += 1
    })
    await expect(failure).rejects.toMatchObject({ code: 'ResourceNotFound', statusCode: 404 })
  })
})

describe('a write whose response is lost', () => {
  const lost = { fault: { kind: 'lost response' }, times: 1 } as const

  it('counts as created, and the entity has the ETag of its row', async () => {
    const { Items, tables } = await freshItems()
    tables.local.faults.add({ ...lost, operation: 'insertEntity' })
    const item = await Items.create(one)
    expect(await item.reload()).toBe(false)
  })

  it('never runs a modifier on its own result', async () => {
    const { Items, tables } = await freshItems()
    const item = await Items.create(one)
    tables.local.faults.add({ ...lost, operation: 'mergeEntity' })
    const failure = item.modify((draft) => {
      draft.count += 1
    })
    await expect(failure).rejects.toMatchObject({ code: 'AmbiguousWrite' })
    expect((await Items.load(one)).count).toBe(2)
  })

  it('lets the next modify begin with what is stored', async () => {
    const { Items, tables } = await freshItems()
    const item = await Items.create(one)
    tables.local.faults.add({ ...lost, operation: 'mergeEntity' })
    const double = (draft: { count: number }) => {
      draft.count *= 2
    }
    await expect(item.modify(double)).rejects.toMatchObject({ code: 'AmbiguousWrite' })
    const setBack = (draft: { count: number }) => {
      draft.count = one.count
    }
    await item.modify(setBack)
    expect((await Items.load(one)).count).toBe(one.count)
  })
})
