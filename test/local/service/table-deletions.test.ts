import { describe, expect, it } from 'vitest'
import { TableDeletions } from '../../../packages/local/src/service/service.ts'
import { MemoryStore } from '../../../packages/local/src/store/memory-store.ts'

const beingDeleted = expect.objectContaining({ status: 409, code: 'TableBeingDeleted' })

describe('TableDeletions', () => {
  it('R-25: reserves a name, in any case, until its time is over', async () => {
    let now = 1000
    const deletions = new TableDeletions(new MemoryStore(), () => now, 40_000)
    await deletions.begin('contoso', 'People')
    await expect(deletions.check('contoso', 'people')).rejects.toEqual(beingDeleted)
    await deletions.check('contoso', 'others')
    await deletions.check('fabrikam', 'people')
    now += 39_999
    await expect(deletions.check('contoso', 'PEOPLE')).rejects.toEqual(beingDeleted)
    now += 1
    await deletions.check('contoso', 'people')
    now -= 1
    await deletions.check('contoso', 'people')
  })

  it('reserves a name of Cosmos DB in its own case only', async () => {
    const deletions = new TableDeletions(new MemoryStore(), () => 0, 100, 'cosmos')
    await deletions.begin('contoso', 'People')
    await expect(deletions.check('contoso', 'People')).rejects.toEqual(beingDeleted)
    await deletions.check('contoso', 'people')
  })

  it('reserves no name without a time', async () => {
    const deletions = new TableDeletions(new MemoryStore(), () => 0, 0)
    await deletions.begin('contoso', 'people')
    await deletions.check('contoso', 'people')
  })

  it('leaves reserved names for the next service, and none that are over', async () => {
    let now = 0
    const store = new MemoryStore()
    const first = new TableDeletions(store, () => now, 100)
    await Promise.all([first.begin('contoso', 'places'), first.begin('contoso', 'things')])
    now = 60
    await first.begin('contoso', 'people')
    expect((await store.keptNames()).size).toBe(3)

    now = 100
    const next = new TableDeletions(store, () => now, 100)
    await next.check('contoso', 'places')
    await expect(next.check('contoso', 'people')).rejects.toEqual(beingDeleted)
    await next.begin('contoso', 'more')
    expect([...(await store.keptNames()).keys()]).toEqual(['contoso/people', 'contoso/more'])
  })

  it('frees all names at once, also for the next service', async () => {
    const store = new MemoryStore()
    const deletions = new TableDeletions(store, () => 0, 100)
    await deletions.begin('contoso', 'people')
    await deletions.clear()
    await deletions.check('contoso', 'people')
    await new TableDeletions(store, () => 0, 100).check('contoso', 'people')
  })

  it('reads the names again after an error', async () => {
    const store = new MemoryStore()
    await new TableDeletions(store, () => 0, 100).begin('contoso', 'people')
    let failures = 1
    const failing = {
      keptNames: () =>
        failures-- > 0 ? Promise.reject(new RangeError('not now')) : store.keptNames(),
      setKeptNames: (names: ReadonlyMap<string, number>) => store.setKeptNames(names),
    }
    const deletions = new TableDeletions(failing, () => 0, 100)
    await expect(deletions.check('contoso', 'people')).rejects.toThrow('not now')
    await expect(deletions.check('contoso', 'people')).rejects.toEqual(beingDeleted)
  })
})
