import { describe, expect, it } from 'vitest'
import {
  allowedRows,
  checkRowAllowed,
  neededPermission,
} from '../../../packages/local/src/access/permissions.ts'
import { EVERYTHING } from '../../../packages/local/src/keys/key-range.ts'
import { readRequest } from '../../../packages/local/src/request/read-request.ts'
import type { Grant } from '../../../packages/local/src/request/service-request.ts'
import { place } from '../../support/local-place.ts'

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

const row = "/people(PartitionKey='a',RowKey='b')"
const needed = (method: string, target: string, headers: Record<string, string> = {}) => {
  const [resourcePath = '', query = ''] = target.split('?')
  return neededPermission(readRequest(place, { method, resourcePath, query, headers, body: '' }))
}

describe('neededPermission', () => {
  it.each([
    ['GET', '/people()', 'o', ['r']],
    ['GET', row, 'o', ['r']],
    ['POST', '/people', 'o', ['a']],
    ['PUT', row, 'o', ['a', 'u']],
    ['MERGE', row, 'o', ['a', 'u']],
    ['PATCH', row, 'o', ['a', 'u']],
    ['DELETE', row, 'o', ['d']],
    ['GET', '/Tables', 'c', ['l']],
    ['GET', "/Tables('people')", 'c', ['l']],
    ['POST', '/Tables', 'c', ['cw']],
    ['DELETE', "/Tables('people')", 'c', ['d']],
    ['GET', '/?restype=service&comp=properties', 's', ['r']],
    ['PUT', '/?restype=service&comp=properties', 's', ['w']],
    ['GET', '/?restype=service&comp=stats', 's', ['r']],
  ])('R-70: of %s %s is %s with %j', (method, target, type, letters) => {
    expect(needed(method, target)).toEqual({ type, letters })
  })

  it('R-70: of a conditional write is only u', () => {
    expect(needed('PUT', row, { 'if-match': '*' })?.letters).toEqual(['u'])
    const tunnelled = { 'if-match': '*', 'x-http-method': 'MERGE' }
    expect(needed('POST', row, tunnelled)?.letters).toEqual(['u'])
  })

  it('R-82: of a table ACL does not exist', () => {
    expect(needed('GET', '/people?comp=acl')).toBeUndefined()
    expect(needed('PUT', '/people?comp=acl')).toBeUndefined()
  })

  it('of a batch is undefined, because its operations are checked one by one', () => {
    expect(needed('POST', '/$batch')).toBeUndefined()
  })
})
