import { describe, expect, it } from 'vitest'
import { tablePath } from '../../../packages/rest/src/table/table-path.ts'
import { contoso, emulator } from '../people.ts'

describe('tablePath', () => {
  it('R-17: is one of the tables of the account', () => {
    expect(tablePath(contoso, 'people')).toBe("/Tables('people')")
    expect(tablePath(emulator, 'people')).toBe("/devstoreaccount1/Tables('people')")
  })

  it('R-01: refuses a name that cannot be one', () => {
    expect(() => tablePath(contoso, "x'")).toThrow(
      expect.objectContaining({ code: 'InvalidTableName' }),
    )
  })
})
