import { describe, expect, it } from 'vitest'
import { entitySetPath } from '../../../packages/rest/src/entity/entity-set-path.ts'
import { contoso, emulator } from '../people.ts'

describe('entitySetPath', () => {
  it('R-17: is the table below the account', () => {
    expect(entitySetPath(contoso, 'people')).toBe('/people')
    expect(entitySetPath(emulator, 'people')).toBe('/devstoreaccount1/people')
  })

  it('R-01: refuses a name that cannot be one', () => {
    expect(() => entitySetPath(contoso, 'a b')).toThrow(
      expect.objectContaining({ code: 'InvalidTableName' }),
    )
  })
})
