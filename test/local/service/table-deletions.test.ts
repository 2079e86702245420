import { describe, expect, it } from 'vitest'
import { TableDeletions } from '../../../packages/local/src/service/service.ts'

const beingDeleted = expect.objectContaining({ status: 409, code: 'TableBeingDeleted' })

describe('TableDeletions', () => {
  it('R-25: reserves a name, in any case, until its time is over', () => {
    let now = 1000
    const deletions = new TableDeletions(() => now, 40_000)
    const check = (account: string, table: string) => () => deletions.check(account, table)
    deletions.begin('contoso', 'People')
    expect(check('contoso', 'people')).toThrow(beingDeleted)
    expect(check('contoso', 'others')).not.toThrow()
    expect(check('fabrikam', 'people')).not.toThrow()
    now += 39_999
    expect(check('contoso', 'PEOPLE')).toThrow(beingDeleted)
    now += 1
    expect(check('contoso', 'people')).not.toThrow()
    now -= 1
    expect(check('contoso', 'people')).not.toThrow()
  })

  it('reserves a name of Cosmos DB in its own case only', () => {
    const deletions = new TableDeletions(() => 0, 100, 'cosmos')
    deletions.begin('contoso', 'People')
    expect(() => deletions.check('contoso', 'People')).toThrow(beingDeleted)
    expect(() => deletions.check('contoso', 'people')).not.toThrow()
  })

  it('reserves no name without a time', () => {
    const deletions = new TableDeletions(() => 0, 0)
    deletions.begin('contoso', 'people')
    expect(() => deletions.check('contoso', 'people')).not.toThrow()
  })

  it('frees all names at once', () => {
    const deletions = new TableDeletions(() => 0, 100)
    deletions.begin('contoso', 'people')
    deletions.clear()
    expect(() => deletions.check('contoso', 'people')).not.toThrow()
  })
})
