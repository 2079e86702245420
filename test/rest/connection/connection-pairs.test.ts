import { describe, expect, it } from 'vitest'
import { readConnectionPairs } from '../../../packages/rest/src/connection/connection-pairs.ts'

describe('readConnectionPairs', () => {
  it('splits each pair at its first =', () => {
    expect(readConnectionPairs('AccountKey=a==;SharedAccessSignature=sv=1&sig=b%3D')).toEqual({
      accountkey: 'a==',
      sharedaccesssignature: 'sv=1&sig=b%3D',
    })
  })

  it('takes a name twice when it says the same', () => {
    expect(readConnectionPairs('AccountName=a;accountname=a')).toEqual({ accountname: 'a' })
  })

  it('ignores names that mean nothing to tables, those of every object included', () => {
    expect(readConnectionPairs('__proto__=a;constructor=b;BlobEndpoint=c')).toEqual({})
  })
})
