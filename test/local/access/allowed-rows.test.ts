import { describe, expect, it } from 'vitest'
import { allowedRows, checkRowAllowed } from '../../../packages/local/src/access/permissions.ts'
import { EVERYTHING } from '../../../packages/local/src/keys/key-range.ts'
import type { Grant } from '../../../packages/local/src/request/service-request.ts'

const table: Grant = {
  kind: 'table',
  table: 'people',
  permissions: 'raud',
  range: { low: 'b\u0000', high: 'c\u0000' },
}

describe('allowedRows', () => {
  it('returns all rows for a key and for an account', () => {
    expect(allowedRows({ kind: 'key' })).toBe(EVERYTHING)
    const account: Grant = { kind: 'account', permissions: 'r', resourceTypes: 'o' }
    expect(allowedRows(account)).toBe(EVERYTHING)
  })

  it('returns the range of a table signature', () => {
    expect(allowedRows(table)).toBe(table.range)
  })
})

describe('checkRowAllowed', () => {
  it('R-68: rejects rows outside the range, on either side', () => {
    expect(() => checkRowAllowed(table, { partitionKey: 'b', rowKey: 'x' })).not.toThrow()
    for (const partitionKey of ['a', 'c', '']) {
      expect(() => checkRowAllowed(table, { partitionKey, rowKey: 'x' })).toThrow(
        expect.objectContaining({ status: 403, code: 'AuthorizationFailure' }),
      )
    }
  })
})
