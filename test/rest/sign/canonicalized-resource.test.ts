import { canonicalizedResource } from '@rowkey/rest'
import { describe, expect, it } from 'vitest'

describe('canonicalizedResource', () => {
  it('is the account and the path as it is sent, still encoded', () => {
    expect(canonicalizedResource('acct', "/t(PartitionKey='a%20b',RowKey='')", '')).toBe(
      "/acct/t(PartitionKey='a%20b',RowKey='')",
    )
  })

  it('has the account twice in path style', () => {
    expect(canonicalizedResource('acct', '/acct/Tables', '')).toBe('/acct/acct/Tables')
  })

  it('keeps comp, wherever it stands, and no other parameter', () => {
    expect(canonicalizedResource('acct', '/', 'restype=service&comp=properties')).toBe(
      '/acct/?comp=properties',
    )
  })

  it('takes no parameter for comp whose name or value only holds it', () => {
    expect(canonicalizedResource('acct', '/t()', 'xcomp=1&$filter=comp=2')).toBe('/acct/t()')
  })
})
