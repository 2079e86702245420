import { MissingETagError } from '@rowkey/rest'
import { describe, expect, it } from 'vitest'
import { requireEtag } from '../../../packages/mapper/src/table/require-etag.ts'

describe('requireEtag', () => {
  it('gives back the ETag', () => {
    expect(requireEtag('W/"1"', 'merge')).toBe('W/"1"')
    expect(requireEtag('*', 'merge')).toBe('*')
  })

  it('R-46: refuses to write without one, and says both ways out', () => {
    expect(() => requireEtag(undefined, 'merge in table people')).toThrow(MissingETagError)
    expect(() => requireEtag(undefined, 'merge in table people')).toThrow(
      /^merge in table people .*Read the entity first.*etag: '\*'/,
    )
  })
})
