import { describe, expect, it } from 'vitest'
import { checkStorage } from '../../../packages/rest/src/endpoint/check-storage.ts'
import { contoso, cosmos } from '../people.ts'

describe('checkStorage', () => {
  it('accepts an account of Table storage', () => {
    expect(() => checkStorage('getTableAcl', contoso)).not.toThrow()
  })

  it('names the operation and the account that does not support it', () => {
    expect(() => checkStorage('getTableAcl', cosmos)).toThrow(
      /does not support getTableAcl, and contoso/,
    )
  })
})
