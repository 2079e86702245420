import { describe, expect, it } from 'vitest'
import { checkStorage } from '../../packages/rest/src/check-storage.ts'
import { contoso, cosmos } from './people.ts'

describe('checkStorage', () => {
  it('lets an account of Table storage pass', () => {
    expect(() => checkStorage('getTableAcl', contoso)).not.toThrow()
  })

  it('names the operation and the account that cannot do it', () => {
    expect(() => checkStorage('getTableAcl', cosmos)).toThrow(/no getTableAcl, and contoso/)
  })
})
