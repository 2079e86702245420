import { describe, expect, it } from 'vitest'
import { TableDeletions } from '../../../packages/local/src/service/table-deletions.ts'

const beingDeleted = expect.objectContaining({ status: 409, code: 'TableBeingDeleted' })

describe('TableDeletions', () => {
  it('R-25: keeps a name, in any case, until its time is over', () => {
    let now = 1000
    const deletions = new TableDeletions(() => now, 40_000)
    deletions.begin('contoso', 'People')
    expect(() => deletions.check('contoso', 'people')).toThrow(beingDeleted)
    expect(() => deletions.check('contoso', 'others')).not.toThrow()
    expect(() => deletions.check('fabrikam', 'people')).not.toThrow()
    now += 39_999
    expect(() => deletions.check('contoso', 'PEOPLE')).toThrow(beingDeleted)
    now += 1
    expect(() => deletions.check('contoso', 'people')).not.toThrow()
    now -= 1
    expect(() => deletions.check('contoso', 'people')).not.toThrow()
  })

  it('keeps no name when there is no time to', () => {
    const deletions = new TableDeletions(() => 0, 0)
    deletions.begin('contoso', 'people')
    expect(() => deletions.check('contoso', 'people')).not.toThrow()
  })
})
