import { InputError } from '@rowkey/odata'
import { deleteEntity, MissingETagError } from '@rowkey/rest'
import { describe, expect, it } from 'vitest'
import { contoso, jeff } from '../people.ts'

describe('MissingETagError', () => {
  it('is an InputError with a name and a code of its own', () => {
    expect(() => deleteEntity.toRequest(jeff, contoso)).toThrow(MissingETagError)
    expect(() => deleteEntity.toRequest(jeff, contoso)).toThrow(InputError)
    expect(() => deleteEntity.toRequest(jeff, contoso)).toThrow(
      expect.objectContaining({ name: 'MissingETagError', code: 'MissingETag' }),
    )
  })
})
