import { deleteTable } from '@rowkey/rest'
import { describe, expect, it } from 'vitest'
import { contoso, emulator } from '../people.ts'

describe('deleteTable', () => {
  it("R-17, R-18: deletes /Tables('people')", () => {
    expect(deleteTable.toRequest({ table: 'people' }, contoso)).toMatchObject({
      method: 'DELETE',
      path: "/Tables('people')",
      body: undefined,
    })
    expect(deleteTable.toRequest({ table: 'people' }, emulator).path).toBe(
      "/devstoreaccount1/Tables('people')",
    )
  })

  it('R-01: rejects an invalid name', () => {
    expect(() => deleteTable.toRequest({ table: "x')" }, contoso)).toThrow(
      expect.objectContaining({ code: 'InvalidTableName' }),
    )
  })
})
