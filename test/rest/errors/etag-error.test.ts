import { InputError } from '@rowkey/odata'
import { deleteEntity, ETagError } from '@rowkey/rest'
import { describe, expect, it } from 'vitest'
import { contoso, jeff } from '../people.ts'

describe('ETagError', () => {
  it('is an InputError with a name and a code of its own', () => {
    expect(() => deleteEntity.toRequest({ ...jeff, etag: '*\r\n' }, contoso)).toThrow(ETagError)
    expect(() => deleteEntity.toRequest({ ...jeff, etag: '*\r\n' }, contoso)).toThrow(InputError)
    expect(() => deleteEntity.toRequest({ ...jeff, etag: '*\r\n' }, contoso)).toThrow(
      expect.objectContaining({ name: 'ETagError', code: 'InvalidETag' }),
    )
  })
})
